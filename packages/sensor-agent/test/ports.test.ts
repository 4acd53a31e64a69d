import { expect, test } from 'vitest'
import { createClock, systemClock, systemRandom } from '../src/ports.ts'
import { clientCredentials } from '../src/tokens/client-credentials.ts'
import { aNetwork } from './support/network.ts'

test('the system clock returns the time and does not go backwards', () => {
  const nowMs = systemClock.now()
  expect(Math.abs(nowMs - Date.now())).toBeLessThan(1_000)
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

/** A machine whose times the test sets. */
function aMachine() {
  const time = { wallMs: 1_000_000, monotonicMs: 50 }
  const clock = createClock({ wallTime: () => time.wallMs, monotonicTime: () => time.monotonicMs })
  function pass(ms: number): void {
    time.wallMs += ms
    time.monotonicMs += ms
  }
  return { time, clock, pass }
}

test('after a suspend the clock shows the wall clock at once', () => {
  const { time, clock, pass } = aMachine()
  pass(1_000)
  expect(clock.now()).toBe(1_001_000)

  time.wallMs += 8 * 3_600_000

  expect(clock.now()).toBe(1_001_000 + 8 * 3_600_000)
})

test('when the wall clock is set back the clock goes on', () => {
  const { time, clock, pass } = aMachine()
  time.wallMs -= 3_600_000
  expect(clock.now()).toBe(1_000_000)
  pass(500)
  expect(clock.now()).toBe(1_000_500)
})

test('a token that expired while the machine was suspended is renewed before it is used', async () => {
  const { time, clock } = aMachine()
  let issued = 0
  const { fetch } = aNetwork(() => {
    issued += 1
    return Response.json({ access_token: `token-${issued}`, token_type: 'bearer', expires_in: 3_600 })
  })
  const authOrigin = new URL('https://auth.example')
  const tokens = clientCredentials({ authOrigin, clientId: 'c', clientSecret: 's', localId: 'roof1', clock, fetch })
  expect(await tokens.get()).toBe('token-1')

  time.wallMs += 2 * 3_600_000

  expect(await tokens.get()).toBe('token-2')
})
