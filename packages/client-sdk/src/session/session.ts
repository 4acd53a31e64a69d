/**
 * Keeps a user signed in.
 * In: tokens, and a login that can refresh them. Out: a valid access token. Concurrent callers share one refresh.
 * See the specification, § User login, rule 5.
 */
import { SessionError } from '../errors.ts'
import type { Login } from '../login/login.ts'
import { checkNoOthers } from '../origins.ts'
import { type Clock, systemClock } from '../ports.ts'
import { memoryTokenStore } from '../stores/memory.ts'
import type { TokenStore } from '../stores/token-store.ts'
import { guarded } from './guarded.ts'
import { type Tokens, withSubject } from './tokens.ts'

/**
 * `login_required`: the refresh token is no longer valid; `signed_out`: signOut() was called; `ended_elsewhere`: one of
 * these happened in another tab; `user_changed`: another user signed in in another tab, and further calls are that
 * user's.
 */
export type SignedOutReason = 'login_required' | 'signed_out' | 'ended_elsewhere' | 'user_changed'

export interface SessionOptions {
  /** From createLogin(), or any object that can refresh and revoke. */
  login: Pick<Login, 'refresh' | 'revoke'>
  /** From complete(). Default: the tokens in the store. */
  tokens?: Tokens
  /** Default: in memory, lost with the process. */
  tokenStore?: TokenStore
  /** Called once after the user's session has ended, here or in another tab. */
  onSignedOut?: ((reason: SignedOutReason) => void) | undefined
  /** Default: the system clock. */
  clock?: Clock
}

/** All methods reject with SessionError `storage_unavailable` when the store fails. */
export interface Session {
  /** The tokens in the store; undefined when nobody is signed in. */
  findTokens(): Promise<Tokens | undefined>
  /**
   * The access token. Shortly before it expires it is refreshed first; while the service cannot do that, the old one is
   * used.
   *
   * @throws SessionError `login_required` when nobody is signed in, `user_changed` once when another user signed in in
   * another tab and `onSignedOut` has not been told
   */
  getAccessToken(): Promise<string>
  /**
   * Call it after a 401. Resolves with a newer access token than the stale one; refreshes only if there is none yet.
   *
   * @throws SessionError `login_required` when the session has ended, `temporarily_unavailable` when it continues
   */
  refresh(staleAccessToken: string): Promise<string>
  /** Replaces the tokens of the current user, if any. */
  signIn(tokens: Tokens): Promise<void>
  /** Deletes the tokens, then asks the service to revoke them. @throws SessionError when the revocation fails */
  signOut(): Promise<void>
}

/** After a refresh ahead of expiry has failed, calls use the old token for this time before one tries again. */
const aheadPauseMs = 5_000

/** Keeps the tokens of one user valid. @throws TypeError for an unknown option */
export function createSession({
  login,
  tokens: initialTokens,
  tokenStore: givenStore = memoryTokenStore(),
  onSignedOut,
  clock = systemClock,
  ...others
}: SessionOptions): Session {
  checkNoOthers(others, 'createSession')
  const tokenStore = guarded(givenStore)
  const initialWrite = Promise.resolve(initialTokens && tokenStore.write(withSubject(initialTokens)))
  // Each method rejects with this error; without this handler an earlier rejection would end the process.
  initialWrite.catch(() => {})
  let refreshing: Promise<string> | undefined
  let isSignedIn = false
  /** Of the tokens that this session read or wrote last. */
  let subject: string | undefined
  let pausedUntilMs = 0

  // A store that fails says nothing about the session.
  if (onSignedOut) givenStore.subscribe?.(() => void findTokens().catch(() => {}))

  return {
    findTokens,
    async getAccessToken() {
      const tokens = await getTokens()
      if (!isDue(tokens)) return tokens.accessToken
      try {
        return await refresh(tokens.accessToken)
      } catch (error) {
        if (error instanceof SessionError && (error.code === 'login_required' || error.code === 'user_changed'))
          throw error
        pausedUntilMs = clock.now() + aheadPauseMs
        return tokens.accessToken
      }
    },
    refresh,
    async signIn(tokens) {
      await initialWrite
      const own = withSubject(tokens)
      await tokenStore.write(own)
      isSignedIn = true
      subject = own.subject
    },
    async signOut() {
      const tokens = await findTokens()
      if (!tokens) return
      await end('signed_out')
      if (tokens.refreshToken) await login.revoke(tokens.refreshToken)
    },
  }

  async function read(): Promise<Tokens | undefined> {
    await initialWrite
    return tokenStore.read()
  }

  async function findTokens(): Promise<Tokens | undefined> {
    const tokens = await read()
    // Without a listener the next call tells.
    if (onSignedOut) compare(tokens)
    return tokens
  }

  /** The store has the truth: tells the app when its session ended. Returns whether another user has signed in. */
  function compare(tokens: Tokens | undefined): boolean {
    if (!tokens) {
      announceEnd('ended_elsewhere')
      return false
    }
    const hasChanged = isSignedIn && subject !== undefined && subject !== (tokens.subject ?? subject)
    isSignedIn = true
    subject = tokens.subject
    if (hasChanged) onSignedOut?.('user_changed')
    return hasChanged
  }

  async function getTokens(): Promise<Tokens> {
    const tokens = await read()
    if (compare(tokens)) {
      throw new SessionError('user_changed', 'Another user signed in; call again')
    }
    if (!tokens) throw new SessionError('login_required', 'Nobody is signed in; the user must sign in')
    return tokens
  }

  /** Compares wall-clock times at each call, because a timer does not run while the machine sleeps. */
  function isDue({ refreshToken, refreshAtMs }: Tokens): boolean {
    const nowMs = clock.now()
    // A pause that is further away than it can be was set before the clock was put back.
    const isPaused = nowMs < pausedUntilMs && nowMs > pausedUntilMs - 2 * aheadPauseMs
    return refreshToken !== undefined && refreshAtMs !== undefined && nowMs >= refreshAtMs && !isPaused
  }

  async function refresh(stale: string): Promise<string> {
    while (refreshing) {
      const token = await refreshing
      if (token !== stale) return token
    }
    refreshing = tokenStore
      .lock(() => renew(stale))
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  async function renew(stale: string): Promise<string> {
    const current = await getTokens()
    if (current.accessToken !== stale) return current.accessToken
    let renewed: Tokens
    try {
      renewed = await exchange(current)
    } catch (error) {
      if (!(await isCurrent(current))) return (await getTokens()).accessToken
      if (error instanceof SessionError && error.code === 'login_required') await end('login_required')
      throw error
    }
    // The user signed out, or in again, or another process refreshed during the request: the renewed tokens are
    // discarded.
    if (!(await isCurrent(current))) return (await getTokens()).accessToken
    await tokenStore.write({ ...renewed, ...(current.subject !== undefined && { subject: current.subject }) })
    return renewed.accessToken
  }

  async function exchange({ refreshToken }: Tokens): Promise<Tokens> {
    if (refreshToken === undefined) {
      throw new SessionError('login_required', 'No refresh token; the user must sign in')
    }
    return login.refresh(refreshToken).catch((error: unknown) => {
      // The service may have answered, and the answer was lost on the way. For some seconds it gives the same answer
      // again.
      if (error instanceof SessionError && error.code === 'temporarily_unavailable' && error.status === undefined) {
        return login.refresh(refreshToken)
      }
      throw error
    })
  }

  async function isCurrent({ accessToken, refreshToken }: Tokens): Promise<boolean> {
    const now = await tokenStore.read()
    return now?.accessToken === accessToken && now.refreshToken === refreshToken
  }

  async function end(reason: SignedOutReason): Promise<void> {
    await tokenStore.clear()
    announceEnd(reason)
  }

  function announceEnd(reason: SignedOutReason): void {
    // The session may have ended here and elsewhere at once.
    if (!isSignedIn) return
    isSignedIn = false
    onSignedOut?.(reason)
  }
}
