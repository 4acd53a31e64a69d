import { describe, expect, test, vi } from 'vitest'
import { createSession, memoryTokenStore, SessionError, type SessionOptions, webTokenStore } from '../../src/index.ts'
import { aTokens, deferred } from '../builders.ts'
import { aStorage, noLocks, someChannels, someLocks } from '../stores/a-browser.ts'

test('a session returns the access token it was created with', async () => {
  expect(await aSession().session.getAccessToken()).toBe('access-1')
})

test('a session without tokens requires a login', async () => {
  const session = createSession({ login: aLogin() })

  expect(await session.findTokens()).toBeUndefined()
  await expect(session.getAccessToken()).rejects.toMatchObject({ code: 'login_required' })
  await expect(session.refresh('access-1')).rejects.toMatchObject({ code: 'login_required' })
})

test('a refresh replaces both tokens', async () => {
  const { session, login } = aSession()

  expect(await session.refresh('access-1')).toBe('access-2')

  expect(await session.findTokens()).toMatchObject(aTokens(2))
  expect(login.refresh.mock.calls).toEqual([['refresh-1']])
})

test('fifty concurrent refreshes send one request, and all get its token', async () => {
  const { session, login } = aSession()

  const tokens = await Promise.all(Array.from({ length: 50 }, () => session.refresh('access-1')))

  expect(new Set(tokens)).toEqual(new Set(['access-2']))
  expect(login.refresh).toHaveBeenCalledTimes(1)
})

test('a late 401 with an older token does not refresh again', async () => {
  const { session, login } = aSession()
  await session.refresh('access-1')

  expect(await session.refresh('access-1')).toBe('access-2')
  expect(login.refresh).toHaveBeenCalledTimes(1)
})

test('a late 401 with an older token waits for the refresh in progress and does not refresh again', async () => {
  const { session, login } = aSession()
  const { promise, resolve } = deferred<ReturnType<typeof aTokens>>()
  await session.refresh('access-1')
  login.refresh.mockReturnValueOnce(promise)

  const both = Promise.all([session.refresh('access-2'), session.refresh('access-1')])
  resolve(aTokens(3))

  expect(await both).toEqual(['access-3', 'access-3'])
  expect(login.refresh).toHaveBeenCalledTimes(2)
})

test('a 401 with the newest token refreshes once more', async () => {
  const { session, login } = aSession()
  await session.refresh('access-1')
  await session.refresh('access-2')

  expect(login.refresh.mock.calls).toEqual([['refresh-1'], ['refresh-2']])
})

test('a refused refresh token ends the session once', async () => {
  const { session, login, onSignedOut } = aSession()
  login.refresh.mockRejectedValue(new SessionError('login_required', 'dead'))

  const endings = await Promise.allSettled(Array.from({ length: 10 }, () => session.refresh('access-1')))

  expect(endings.map((ending) => ending.status === 'rejected' && ending.reason.code)).toEqual(
    Array(10).fill('login_required'),
  )
  expect(onSignedOut.mock.calls).toEqual([['login_required']])
  expect(login.refresh).toHaveBeenCalledTimes(1)
  await expect(session.getAccessToken()).rejects.toMatchObject({ code: 'login_required' })
})

test('a session without a refresh token ends when its access token expires', async () => {
  const { session, login, onSignedOut } = aSession({ tokens: { accessToken: 'access-1' } })

  await expect(session.refresh('access-1')).rejects.toMatchObject({ code: 'login_required' })
  expect(onSignedOut).toHaveBeenCalledTimes(1)
  expect(login.refresh).not.toHaveBeenCalled()
})

for (const code of ['temporarily_unavailable', 'client_rejected', 'unexpected_answer'] as const) {
  test(`a refresh that fails with ${code} does not change the session`, async () => {
    const { session, login, onSignedOut } = aSession()
    login.refresh.mockRejectedValueOnce(new SessionError(code, 'not now', { status: 503 }))

    await expect(session.refresh('access-1')).rejects.toMatchObject({ code })

    expect(onSignedOut).not.toHaveBeenCalled()
    expect(await session.getAccessToken()).toBe('access-1')
    expect(await session.refresh('access-1')).toBe('access-2')
  })
}

test('signing out deletes the tokens, calls onSignedOut, and revokes the tokens', async () => {
  const { session, login, onSignedOut } = aSession()

  await session.signOut()
  await session.signOut()

  expect(await session.findTokens()).toBeUndefined()
  expect(onSignedOut.mock.calls).toEqual([['signed_out']])
  expect(login.revoke.mock.calls).toEqual([['refresh-1']])
})

test('signing out deletes the tokens even when the revocation fails', async () => {
  const { session, login } = aSession()
  login.revoke.mockRejectedValue(new SessionError('temporarily_unavailable', 'no'))

  await expect(session.signOut()).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  expect(await session.findTokens()).toBeUndefined()
})

test('a refresh in progress does not undo signing out', async () => {
  const { session, login } = aSession()
  const { promise, resolve } = deferred<ReturnType<typeof aTokens>>()
  login.refresh.mockReturnValueOnce(promise)
  const refresh = session.refresh('access-1')
  await vi.waitFor(() => expect(login.refresh).toHaveBeenCalled())

  await session.signOut()
  resolve(aTokens(2))

  await expect(refresh).rejects.toMatchObject({ code: 'login_required' })
  expect(await session.findTokens()).toBeUndefined()
})

test('a refresh that fails after the user signed in again does not sign the user out', async () => {
  const { session, login, onSignedOut } = aSession()
  const { promise, reject } = deferred<ReturnType<typeof aTokens>>()
  login.refresh.mockReturnValueOnce(promise)
  const refresh = session.refresh('access-1')
  await vi.waitFor(() => expect(login.refresh).toHaveBeenCalled())

  await session.signIn(aTokens(7))
  reject(new SessionError('login_required', 'dead'))

  expect(await refresh).toBe('access-7')
  expect(onSignedOut).not.toHaveBeenCalled()
})

test('an error of the store rejects the call and does not end the process', async () => {
  const write = () => Promise.reject(new Error('disk full'))
  const { session } = aSession({ tokenStore: { ...memoryTokenStore(), write } })

  await expect(session.getAccessToken()).rejects.toMatchObject({
    name: 'SessionError',
    code: 'storage_unavailable',
    cause: new Error('disk full'),
  })
})

test('a refresh whose answer is lost is sent once more', async () => {
  const { session, login } = aSession()
  const lost = new SessionError('temporarily_unavailable', 'no response')
  login.refresh.mockRejectedValueOnce(lost)

  expect(await session.refresh('access-1')).toBe('access-2')
  expect(login.refresh.mock.calls).toEqual([['refresh-1'], ['refresh-1']])

  login.refresh.mockRejectedValueOnce(lost).mockRejectedValueOnce(lost)
  await expect(session.refresh('access-2')).rejects.toBe(lost)
})

test('onSignedOut is called once in each tab, whichever tab ended the session', async () => {
  const channels = someChannels()
  const [storage, locks] = [aStorage(), someLocks()]
  const reasons: string[][] = [[], [], []]
  const tabs = reasons.map((seen) =>
    createSession({
      login: aLogin(),
      tokenStore: webTokenStore({ storage, locks, channel: channels.open() }),
      onSignedOut: (reason) => seen.push(reason),
    }),
  )
  await tabs[0]?.signIn(aTokens(1))
  for (const tab of tabs) await tab.getAccessToken()

  await tabs[1]?.signOut()
  await tabs[1]?.signOut()

  await vi.waitFor(() => expect(reasons).toEqual([['ended_elsewhere'], ['signed_out'], ['ended_elsewhere']]))
})

test('a store that cannot be read signs nobody out', async () => {
  const store = memoryTokenStore()
  const { session, onSignedOut } = aSession({ tokenStore: store })
  await session.getAccessToken()
  vi.spyOn(store, 'read').mockRejectedValueOnce(new Error('Redis is down'))

  await expect(session.getAccessToken()).rejects.toMatchObject({ code: 'storage_unavailable' })

  expect(onSignedOut).not.toHaveBeenCalled()
  expect(await session.getAccessToken()).toBe('access-1')
})

test('a lock that cannot be taken rejects, and the session continues', async () => {
  const lock = () => Promise.reject(new Error('read-only disk'))
  const { session, onSignedOut } = aSession({ tokenStore: { ...memoryTokenStore(), lock } })

  await expect(session.refresh('access-1')).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(onSignedOut).not.toHaveBeenCalled()
})

test('five tabs with one storage share one refresh', async () => {
  const storage = aStorage()
  const locks = someLocks()
  const login = aLogin()
  const tabs = Array.from({ length: 5 }, () => createSession({ login, tokenStore: webTokenStore({ storage, locks }) }))
  await tabs[0]?.signIn(aTokens(1))

  const tokens = await Promise.all(tabs.flatMap((tab) => [tab.refresh('access-1'), tab.refresh('access-1')]))

  expect(new Set(tokens)).toEqual(new Set(['access-2']))
  expect(login.refresh).toHaveBeenCalledTimes(1)
})

test('without locks, a tab whose refresh token was used by another tab uses the new tokens of that tab', async () => {
  const storage = aStorage()
  const login = aLogin()
  const { promise, reject } = deferred<ReturnType<typeof aTokens>>()
  const onSignedOut = vi.fn()
  const tokenStore = webTokenStore({ storage, locks: noLocks })
  const slow = createSession({
    login: { ...login, refresh: () => promise },
    tokenStore,
    tokens: aTokens(1),
    onSignedOut,
  })
  const refresh = slow.refresh('access-1')

  await createSession({ login, tokenStore: webTokenStore({ storage, locks: noLocks }) }).refresh('access-1')
  reject(new SessionError('login_required', 'used before'))

  expect(await refresh).toBe('access-2')
  expect(onSignedOut).not.toHaveBeenCalled()
})

describe('when another user signs in in another tab', () => {
  const someone = { ...aTokens(1), accessToken: aJwt('user-1') }
  const other = { ...aTokens(2), accessToken: aJwt('user-2') }

  function twoTabs(onSignedOut?: SessionOptions['onSignedOut']) {
    const [tokenStore, login] = [memoryTokenStore(), aLogin()]
    const tab = () => createSession({ login, tokenStore, onSignedOut })
    return { tab: tab(), another: tab(), login }
  }

  test('the app is told before its next call, which is not sent', async () => {
    const onSignedOut = vi.fn()
    const { tab, another } = twoTabs(onSignedOut)
    await tab.signIn(someone)
    await another.signIn(other)

    await expect(tab.getAccessToken()).rejects.toMatchObject({ name: 'SessionError', code: 'user_changed' })
    expect(onSignedOut.mock.calls).toEqual([['user_changed']])
    expect(await tab.getAccessToken()).toBe(other.accessToken)
  })

  test('an app that does not listen learns it by its next call, also after it asked whether somebody is signed in', async () => {
    const { tab, another } = twoTabs()
    await tab.signIn(someone)
    await tab.getAccessToken()
    await another.signIn(other)

    expect(await tab.findTokens()).toMatchObject(other)
    await expect(tab.refresh(someone.accessToken)).rejects.toMatchObject({ code: 'user_changed' })
    expect(await tab.getAccessToken()).toBe(other.accessToken)
  })

  test('a refresh that was in flight does not give the new tokens to the old call', async () => {
    const { tab, another, login } = twoTabs()
    await tab.signIn(someone)
    login.refresh.mockImplementation(async () => {
      await another.signIn(other)
      return aTokens(3)
    })

    await expect(tab.refresh(someone.accessToken)).rejects.toMatchObject({ code: 'user_changed' })
    expect(await another.findTokens()).toMatchObject(other)
  })

  test('a tab that the store tells is told at once, and its next call is for the new user', async () => {
    const [storage, channels, onSignedOut] = [aStorage(), someChannels(), vi.fn()]
    const open = () => webTokenStore({ storage, locks: noLocks, channel: channels.open() })
    const tab = createSession({ login: aLogin(), tokenStore: open(), onSignedOut })
    await tab.signIn(someone)
    await createSession({ login: aLogin(), tokenStore: open() }).signIn(other)

    await vi.waitFor(() => expect(onSignedOut.mock.calls).toEqual([['user_changed']]))
    expect(await tab.getAccessToken()).toBe(other.accessToken)
  })

  test('tokens that are no JWT are another user with each sign-in, and the same one after a refresh', async () => {
    const onSignedOut = vi.fn()
    const { tab, another } = twoTabs(onSignedOut)
    await tab.signIn(aTokens(1))
    await another.refresh('access-1')
    expect(await tab.getAccessToken()).toBe('access-2')
    await another.signIn(aTokens(7))

    await expect(tab.getAccessToken()).rejects.toMatchObject({ code: 'user_changed' })
  })
})

test('the same user who signs in again in another tab is no other user', async () => {
  const [tokenStore, onSignedOut] = [memoryTokenStore(), vi.fn()]
  const tab = () => createSession({ login: aLogin(), tokenStore, onSignedOut })
  const [one, two] = [tab(), tab()]
  await one.signIn({ accessToken: aJwt('user-1', 'first') })
  await two.signIn({ accessToken: aJwt('user-1', 'second') })

  expect(await one.getAccessToken()).toBe(aJwt('user-1', 'second'))
  expect(onSignedOut).not.toHaveBeenCalled()
})

function aJwt(sub: string, jti = 'id'): string {
  return `eyJ.${Buffer.from(JSON.stringify({ sub, jti, name: 'é?>' })).toString('base64url')}.c2ln`
}

function aSession(options: Partial<SessionOptions> = {}) {
  const login = aLogin()
  const onSignedOut = vi.fn()
  return { session: createSession({ login, tokens: aTokens(1), onSignedOut, ...options }), login, onSignedOut }
}

/** Each refresh token returns the next generation. */
function aLogin() {
  return {
    refresh: vi.fn(async (refreshToken: string) => aTokens(Number(refreshToken.replace('refresh-', '')) + 1)),
    revoke: vi.fn(async (_refreshToken: string) => {}),
  }
}
