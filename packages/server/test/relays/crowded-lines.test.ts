import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createCrowdedLines } from '../../src/relays/crowded-lines.ts'
import { aCourier } from './a-courier.ts'

const host = 'one.example'

async function isOver(turn: Promise<void> | undefined): Promise<boolean> {
  let over = false
  void turn?.then(() => {
    over = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return over
}

test('who waited for longest is called first, and has its turn when the place is free', async () => {
  const crowded = createCrowdedLines({ clock: createManualClock(), random: () => 0.5 })
  crowded.add(host, 'first')
  crowded.add(host, 'second')
  const called = crowded.call(host)
  expect(called?.line).toBe('first')
  const turn = crowded.turn('first')
  expect(crowded.turn('second')).toBeUndefined()
  expect(await isOver(turn)).toBe(false)
  called?.free()
  expect(await isOver(turn)).toBe(true)

  expect(crowded.turn('first')).toBeUndefined()
  expect(crowded.call(host)?.line).toBe('second')
  expect(crowded.call(host)).toBeUndefined()
})

test('the more wait for a host, the longer each rests before it looks by itself, for half a minute at most', () => {
  const crowded = createCrowdedLines({ clock: createManualClock(), random: () => 0.5 })
  const rests = Array.from({ length: 2_000 }, (_, n) => crowded.add(host, `line${n}`))

  expect([rests[0], rests[63], rests[127], rests[639], rests[1_999]]).toEqual([2_000, 2_000, 4_000, 20_000, 30_000])
  expect(crowded.add('two.example', 'alone')).toBe(2_000)
})

test('a turn that does not come soon is not waited for, and not by many at a time', async () => {
  const clock = createManualClock()
  const crowded = createCrowdedLines({ clock, random: () => 0.5 })
  const lines = Array.from({ length: 65 }, (_, n) => `line${n}`)
  for (const line of lines) crowded.add(host, line)
  for (const _ of lines) crowded.call(host)
  const turns = lines.map((line) => crowded.turn(line))
  expect(turns.filter((turn) => turn === undefined)).toHaveLength(1)
  await clock.advance(100)
  expect(await isOver(turns[0])).toBe(true)
  expect(crowded.turn('line64')).toBeDefined()
})

test('hundreds of devices that share a host which answers are all served without a rest', async () => {
  const { owe, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const urns = await Promise.all(Array.from({ length: 400 }, (_, n) => addDevice(`sharing${n}`)))
  for (const urn of urns) await setRelay(urn, 'Active', 'https://sharing.example/')
  answering(() => 200, 'https://sharing.example/')
  await Promise.all(urns.map((urn) => owe(urn, '1', '2', '3')))
  await clock.advance(0)

  expect(sent).toHaveLength(1_200)
})

test('once a host that hung answers again, those who waited for it are served one after the other, without a rest', async () => {
  const { owe, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const hanging = Promise.withResolvers<number>()
  answering(() => hanging.promise, 'https://hung.example/')
  const urns = await Promise.all(Array.from({ length: 400 }, (_, n) => addDevice(`waiting${n}`)))
  for (const urn of urns) await setRelay(urn, 'Active', 'https://hung.example/')
  await Promise.all(urns.map((urn) => owe(urn, '1', '2')))
  await clock.advance(5_000)
  expect(sent.length).toBeLessThanOrEqual(128)

  answering(() => 200, 'https://hung.example/')
  hanging.resolve(200)
  await clock.advance(0)

  expect(sent).toHaveLength(800)
})
