import { expect, test } from 'vitest'
import { createSystemClock } from '../src/system-clock.ts'
import { clientCredentials } from '../src/tokens/client-credentials.ts'
import { aNetwork } from './support/network.ts'

const hourMs = 3_600_000

/** A machine whose times the test sets. */
function aMachine() {
  const time = { wallMs: 10 * hourMs, monotonicMs: 50, uptimeMs: 7_000 }
  const clock = createSystemClock({
    wallTime: () => time.wallMs,
    monotonicTime: () => time.monotonicMs,
    uptime: () => time.uptimeMs,
  })
  /** Somebody asks for the time every 250 ms. */
  function pass(ms: number): void {
    for (let left = ms; left > 0; left -= 250) {
      const step = Math.min(250, left)
      time.wallMs += step
      time.monotonicMs += step
      time.uptimeMs += step
      clock.now()
    }
  }
  return { time, clock, pass }
}

test('a wall clock that was set forward is followed after 3 s, and one that was wrong for a second is not', () => {
  const { time, clock, pass } = aMachine()
  time.wallMs += 8 * hourMs
  pass(1_000)
  expect(clock.now()).toBe(10 * hourMs + 1_000)
  time.wallMs -= 8 * hourMs
  pass(4_000)
  expect(clock.now()).toBe(10 * hourMs + 5_000)

  time.wallMs += 8 * hourMs
  pass(4_000)

  expect(clock.now()).toBe(18 * hourMs + 9_000)
})

test('a wall clock that was set back by minutes is followed at half speed, and the time never goes backwards', () => {
  const { time, clock, pass } = aMachine()
  time.wallMs -= 60_000
  pass(10_000)
  expect(clock.now()).toBeGreaterThan(10 * hourMs)
  expect(clock.setBackMs()).toBeGreaterThan(50_000)

  pass(120_000)

  expect(clock.now()).toBe(time.wallMs)
  expect(clock.setBackMs()).toBe(0)
})

test('a wall clock that was set back by more than 10 minutes is not followed, and the clock says by how much', () => {
  const { time, clock, pass } = aMachine()
  time.wallMs -= hourMs
  pass(1_000)
  expect(clock.setBackMs()).toBe(0)

  pass(3_000)

  expect(clock.setBackMs()).toBe(hourMs)
  expect(clock.now()).toBe(10 * hourMs + 4_000)
})

test('the time that passes is the same, however the wall clock is set', () => {
  const { time, clock, pass } = aMachine()
  const startMs = clock.elapsed()
  time.wallMs += 400 * 24 * hourMs
  pass(5_000)
  time.wallMs -= 800 * 24 * hourMs
  pass(5_000)

  expect(clock.elapsed() - startMs).toBe(10_000)
})

test('the time in which the machine was suspended passes, too', () => {
  const { time, clock, pass } = aMachine()
  const startMs = clock.elapsed()
  time.uptimeMs += 8 * hourMs
  pass(1_000)

  expect(clock.elapsed() - startMs).toBe(8 * hourMs + 1_000)
})

test('a token that expired while the machine was suspended is renewed before it is used', async () => {
  const { time, clock, pass } = aMachine()
  let issued = 0
  const { fetch } = aNetwork(() => {
    issued += 1
    return Response.json({ access_token: `token-${issued}`, token_type: 'bearer', expires_in: 3_600 })
  })
  const authOrigin = new URL('https://auth.example')
  const tokens = clientCredentials({ authOrigin, clientId: 'c', clientSecret: 's', localId: 'roof1', clock, fetch })
  expect(await tokens.get()).toBe('token-1')

  time.wallMs += 2 * hourMs
  pass(4_000)

  expect(await tokens.get()).toBe('token-2')
})
