import { expect, test } from 'vitest'
import { currentTimeMs, hangsAfterMs } from '../../../testing/real-time.ts'
import { systemClock, systemRandom } from '../src/ports.ts'

test('the system clock returns the time and does not go backwards', () => {
  const nowMs = systemClock.now()
  expect(Math.abs(nowMs - currentTimeMs())).toBeLessThan(hangsAfterMs)
  expect(systemClock.now()).toBeGreaterThanOrEqual(nowMs)
})

test('a sleep ends when its signal aborts, before or during the sleep', async () => {
  const stop = new AbortController()
  const sleeping = systemClock.sleep(3_600_000, stop.signal)
  stop.abort()
  await sleeping
  await systemClock.sleep(3_600_000, stop.signal)
})

test('a sleep of zero or less resolves at once, a sleep longer than the longest timer does not', async () => {
  await systemClock.sleep(0)
  await systemClock.sleep(-1)
  const stop = new AbortController()
  let over = false
  const sleeping = systemClock.sleep(2 ** 40, stop.signal).then(() => (over = true))
  await systemClock.sleep(5)
  expect(over).toBe(false)
  stop.abort()
  await sleeping
})

test('the system random source returns numbers from 0 to below 1', () => {
  const number = systemRandom()
  expect(number).toBeGreaterThanOrEqual(0)
  expect(number).toBeLessThan(1)
})
