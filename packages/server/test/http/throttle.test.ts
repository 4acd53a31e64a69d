import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createThrottle, toCaller } from '../../src/http/throttle.ts'

function aThrottle({ limit = 2, windowMs = 10_000, maxKeys = 1_000 } = {}) {
  const clock = createManualClock()
  return { clock, throttle: createThrottle({ clock, limit, windowMs, maxKeys, message: 'Too many' }) }
}

test('what is within the limit passes, what is beyond it is told when to come back', async () => {
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

test('who comes back when told passes', async () => {
  const { clock, throttle } = aThrottle()
  for (const _ of [1, 2, 3]) throttle.count('a')

  await clock.advance(10_000)

  throttle.check('a')
})

test('beyond the bound the oldest window is forgotten', () => {
  const { throttle } = aThrottle({ limit: 1, maxKeys: 3 })
  for (const key of ['a', 'b', 'c', 'd']) throttle.count(key)

  throttle.check('a')
  for (const key of ['b', 'c', 'd']) expect(() => throttle.check(key)).toThrow('Too many')
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['', 'unknown'],
])('the caller behind %j is %j', (address, caller) => {
  expect(toCaller(address)).toBe(caller)
})
