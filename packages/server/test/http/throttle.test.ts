import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createThrottle, networkOf } from '../../src/http/throttle.ts'

function aThrottle({ limit = 2, windowMs = 10_000, maxKeys = 1_000 } = {}) {
  const clock = createManualClock()
  return { clock, throttle: createThrottle({ clock, limit, windowMs, maxKeys, message: 'Too many' }) }
}

test('calls within the limit pass, and calls above it get the time to wait', async () => {
  const { clock, throttle } = aThrottle()
  throttle.count('a')
  throttle.check('a')
  throttle.count('a')
  await clock.advance(2_500)

  expect(() => throttle.check('a')).toThrow(
    expect.objectContaining({
      code: 'too_many_requests',
      message: 'Too many; try again in 8 s',
      headers: { 'Retry-After': '8' },
    }),
  )
  throttle.check('b')
})

test('a call after the time to wait passes', async () => {
  const { clock, throttle } = aThrottle()
  for (const _ of [1, 2, 3]) throttle.count('a')

  await clock.advance(10_000)

  throttle.check('a')
})

test('above the maximum number of keys, the oldest window is dropped', () => {
  const { throttle } = aThrottle({ limit: 1, maxKeys: 3 })
  for (const key of ['a', 'b', 'c', 'd']) throttle.count(key)

  throttle.check('a')
  for (const key of ['b', 'c', 'd']) expect(() => throttle.check(key)).toThrow('Too many')
})

test('events that are counted while others are on their way to the shared count stay counted', async () => {
  const { promise, resolve } = Promise.withResolvers<{ used: number; endsAtMs: number }>()
  const clock = createManualClock()
  const shared = { name: 'test', counts: { add: () => promise }, step: 2 }
  const throttle = createThrottle({ clock, limit: 9, windowMs: 10_000, message: 'Too many', shared })
  for (const _ of [1, 2, 3]) throttle.count('a')

  resolve({ used: 7, endsAtMs: clock.now() + 10_000 })
  await promise
  await Promise.resolve()

  expect(throttle.used('a')).toBe(8)
})

test('a flood of keys shares 10,000 windows and counts the others in memory', () => {
  const clock = createManualClock()
  let shares = 0
  const counts = { add: async () => ({ used: ++shares, endsAtMs: clock.now() }) }
  const throttle = createThrottle({
    clock,
    limit: 1,
    windowMs: 10_000,
    message: 'Too many',
    shared: { name: 'test', counts },
  })
  for (let n = 0; n < 12_000; n++) throttle.count(`key ${n}`)

  expect(shares).toBe(10_000)
  expect(() => throttle.check('key 11999')).toThrow('Too many')
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0'],
  ['', 'unknown'],
])('the caller with the address %j is %j', (address, caller) => {
  expect(networkOf(address)).toBe(caller)
})
