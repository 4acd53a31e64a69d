import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createHostLoad } from '../../src/relays/host-load.ts'

const host = 'one.example'

function aHostWith(attempts: number) {
  const clock = createManualClock()
  const load = createHostLoad({ clock })
  const begun = Array.from({ length: attempts }, () => load.begin(host))
  return { clock, load, begun }
}

test('a host that answers takes 128 attempts at a time', () => {
  const { load, begun } = aHostWith(128)
  expect(begun.every((attempt) => attempt !== undefined)).toBe(true)
  expect(load.begin(host)).toBeUndefined()
  begun[5]?.end()
  expect(load.begin(host)).toBeDefined()
})

test('a host that lets 16 attempts wait for a second takes no more, and others do', async () => {
  const { clock, load } = aHostWith(16)
  await clock.advance(999)
  expect(load.begin(host)).toBeDefined()
  await clock.advance(1)
  expect(load.begin(host)).toBeUndefined()
  expect(load.isHalfFree(host)).toBe(false)
  expect(load.begin('two.example')).toBeDefined()
})

test('it takes more in the very moment in which one of them ends', async () => {
  const { clock, load, begun } = aHostWith(16)
  await clock.advance(900)
  const young = Array.from({ length: 4 }, () => load.begin(host))
  await clock.advance(100)
  expect(load.begin(host)).toBeUndefined()
  begun[0]?.end()
  expect(load.begin(host)).toBeDefined()
  young[0]?.end()
  expect(load.isHalfFree(host)).toBe(true)
})

test('one that is answered, and followed by another in its place, does not wait any longer', async () => {
  const { clock, load, begun } = aHostWith(16)
  await clock.advance(900)
  begun[0]?.again()
  await clock.advance(100)

  expect(load.begin(host)).toBeDefined()
  await clock.advance(900)
  expect(load.begin(host)).toBeUndefined()
  begun[0]?.again()
  expect(load.begin(host)).toBeDefined()
})
