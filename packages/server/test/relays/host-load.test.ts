import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createHostLoad } from '../../src/relays/host-load.ts'

const host = 'one.example'

function aHostWith(attempts: number) {
  const clock = createManualClock()
  const load = createHostLoad({ clock })
  const ends = Array.from({ length: attempts }, () => load.begin(host))
  return { clock, load, ends }
}

test('a host that answers takes 128 attempts at a time', () => {
  const { load, ends } = aHostWith(128)
  expect(ends.every((end) => end !== undefined)).toBe(true)
  expect(load.begin(host)).toBeUndefined()
  ends[5]?.()
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
  const { clock, load, ends } = aHostWith(16)
  await clock.advance(900)
  const young = Array.from({ length: 4 }, () => load.begin(host))
  await clock.advance(100)
  expect(load.begin(host)).toBeUndefined()
  ends[0]?.()
  expect(load.begin(host)).toBeDefined()
  young[0]?.()
  expect(load.isHalfFree(host)).toBe(true)
})
