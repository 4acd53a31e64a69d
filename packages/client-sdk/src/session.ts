/**
 * Keeps a user signed in.
 * In: tokens, and a login that can refresh them. Out: a valid access token. Concurrent callers share one refresh.
 * See the specification, § User login, rule 5.
 */
import { SessionError } from './errors.ts'
import type { Login } from './login.ts'
import { memoryTokenStore, type TokenStore } from './token-store.ts'
import type { Tokens } from './tokens.ts'

/** `login_required`: the refresh token is no longer valid; `signed_out`: signOut() was called. */
export type SignedOutReason = 'login_required' | 'signed_out'

export interface SessionOptions {
  /** From createLogin(), or any object that can refresh and revoke. */
  login: Pick<Login, 'refresh' | 'revoke'>
  /** From complete(). Default: the tokens in the store. */
  tokens?: Tokens
  /** Default: in memory, lost with the process. */
  tokenStore?: TokenStore
  /** Called after the tokens were deleted. */
  onSignedOut?: (reason: SignedOutReason) => void
}

export interface Session {
  findTokens(): Promise<Tokens | undefined>
  /** @throws SessionError `login_required` when nobody is signed in */
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

export function createSession({
  login,
  tokens,
  tokenStore = memoryTokenStore(),
  onSignedOut,
}: SessionOptions): Session {
  const initialWrite = Promise.resolve(tokens && tokenStore.write(tokens))
  // Each method rejects with this error; without this handler an earlier rejection would end the process.
  initialWrite.catch(() => {})
  let refreshing: Promise<string> | undefined

  return {
    findTokens,
    getAccessToken: async () => (await getTokens()).accessToken,
    refresh,
    async signIn(tokens) {
      await initialWrite
      await tokenStore.write(tokens)
    },
    async signOut() {
      const tokens = await findTokens()
      if (!tokens) return
      await end('signed_out')
      if (tokens.refreshToken) await login.revoke(tokens.refreshToken)
    },
  }

  async function findTokens(): Promise<Tokens | undefined> {
    await initialWrite
    return tokenStore.read()
  }

  async function getTokens(): Promise<Tokens> {
    const tokens = await findTokens()
    if (!tokens) throw new SessionError('login_required', 'Nobody is signed in; the user must sign in')
    return tokens
  }

  async function refresh(stale: string): Promise<string> {
    while (refreshing) {
      const token = await refreshing
      if (token !== stale) return token
    }
    const task = () => renew(stale)
    refreshing = (tokenStore.lock ? tokenStore.lock(task) : task()).finally(() => {
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
    // The user signed out, or in again, during the request: the renewed tokens are discarded.
    if (!(await isCurrent(current))) return (await getTokens()).accessToken
    await tokenStore.write(renewed)
    return renewed.accessToken
  }

  async function exchange({ refreshToken }: Tokens): Promise<Tokens> {
    if (refreshToken !== undefined) return login.refresh(refreshToken)
    throw new SessionError(
      'login_required',
      'The access token expired and there is no refresh token; the user must sign in again',
    )
  }

  async function isCurrent({ accessToken, refreshToken }: Tokens): Promise<boolean> {
    const now = await tokenStore.read()
    return now?.accessToken === accessToken && now.refreshToken === refreshToken
  }

  async function end(reason: SignedOutReason): Promise<void> {
    await tokenStore.clear()
    onSignedOut?.(reason)
  }
}
