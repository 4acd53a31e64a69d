/** Refreshing before the access token expires. */
import { expect, test, vi } from 'vitest'
import { createSession, SessionError, type Tokens } from '../../src/index.ts'
import { toTokens } from '../../src/session/tokens.ts'
import { aClock, aTokens, nowMs } from '../builders.ts'

test.each([
  [900, 30_000],
  [3_600, 30_000],
  [5, 500],
])('tokens that live for %i s are refreshed %i ms before they expire', (lifetime, aheadMs) => {
  const tokens = toTokens({ access_token: 'a', expires_in: lifetime }, nowMs)

  expect(tokens?.expiresAtMs).toBe(nowMs + lifetime * 1_000)
  expect(tokens?.refreshAtMs).toBe(nowMs + lifetime * 1_000 - aheadMs)
})

test('a token that is about to expire is refreshed once before it is used', async () => {
  const { session, login, clock } = aSession()

  await clock.advance(869_999)
  expect(await session.getAccessToken()).toBe('access-1')
  await clock.advance(1)
  const tokens = await Promise.all(Array.from({ length: 50 }, () => session.getAccessToken()))

  expect(new Set(tokens)).toEqual(new Set(['access-2']))
  expect(login.refresh).toHaveBeenCalledTimes(1)
})

test('no timer runs, so a machine that slept for a day refreshes at the next call', async () => {
  const { session, login, clock } = aSession()
  await clock.advance(24 * 3_600_000)
  expect(clock.waiting()).toBe(0)
  expect(login.refresh).not.toHaveBeenCalled()

  expect(await session.getAccessToken()).toBe('access-2')
  expect(await session.getAccessToken()).toBe('access-2')
  expect(login.refresh).toHaveBeenCalledTimes(1)
})

test('a clock that is set back or ahead by an hour costs at most one refresh', async () => {
  for (const byMs of [3_600_000, -3_600_000]) {
    const { session, login, clock } = aSession()
    await clock.advance(byMs)
    for (let call = 0; call < 10; call += 1) await session.getAccessToken()
    expect(login.refresh.mock.calls.length).toBeLessThanOrEqual(1)
  }
})

test('while the service cannot refresh, the old token is used, and only every 5 s one call tries again', async () => {
  const { session, login, clock } = aSession()
  login.refresh.mockRejectedValue(new SessionError('temporarily_unavailable', 'busy', { status: 503 }))
  await clock.advance(880_000)

  for (let call = 0; call < 10; call += 1) expect(await session.getAccessToken()).toBe('access-1')
  expect(login.refresh).toHaveBeenCalledTimes(1)

  await clock.advance(5_000)
  expect(await session.getAccessToken()).toBe('access-1')
  expect(login.refresh).toHaveBeenCalledTimes(2)
})

test('a pause is not prolonged when the clock is set back', async () => {
  const { session, login, clock } = aSession({ expiresAtMs: 0, refreshAtMs: 0 })
  login.refresh.mockRejectedValueOnce(new SessionError('temporarily_unavailable', 'busy', { status: 503 }))
  await session.getAccessToken()
  await clock.advance(-3_600_000)

  expect(await session.getAccessToken()).toBe('access-2')
})

test('a dead refresh token ends the session, also ahead of expiry', async () => {
  const { session, login, clock, onSignedOut } = aSession()
  login.refresh.mockRejectedValue(new SessionError('login_required', 'dead', { status: 401 }))
  await clock.advance(880_000)

  await expect(session.getAccessToken()).rejects.toMatchObject({ code: 'login_required' })
  await expect(session.getAccessToken()).rejects.toMatchObject({ code: 'login_required' })
  expect(onSignedOut.mock.calls).toEqual([['login_required']])
})

test('tokens without a refresh token, or without a known lifetime, are used until a 401', async () => {
  for (const tokens of [{ refreshAtMs: 0, refreshToken: undefined }, { refreshAtMs: undefined }]) {
    const { session, login } = aSession(tokens)
    expect(await session.getAccessToken()).toBe('access-1')
    expect(login.refresh).not.toHaveBeenCalled()
  }
})

function aSession(tokens: Partial<Tokens> = {}) {
  const clock = aClock()
  const lifetime = () => ({ expiresAtMs: clock.now() + 900_000, refreshAtMs: clock.now() + 870_000 })
  const login = {
    refresh: vi.fn(async (refreshToken: string) =>
      aTokens(Number(refreshToken.replace('refresh-', '')) + 1, lifetime()),
    ),
    revoke: vi.fn(async () => {}),
  }
  const onSignedOut = vi.fn()
  const session = createSession({ login, tokens: aTokens(1, { ...lifetime(), ...tokens }), onSignedOut, clock })
  return { session, login, clock, onSignedOut }
}
