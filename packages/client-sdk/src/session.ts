/**
 * Keeps a user signed in.
 * In: tokens, and how to refresh them. Out: an access token that is not the one that failed, fetched once for all who ask.
 * See the specification, § User login, rule 5.
 */
import { SessionError } from './errors.ts'
import type { Login } from './login.ts'
import { memoryTokenStore, type TokenStore } from './token-store.ts'
import type { Tokens } from './tokens.ts'

/** `login_required`: the service no longer takes the refresh token; `signed_out`: signOut was called. */
export type SignedOutReason = 'login_required' | 'signed_out'

export interface SessionOptions {
  /** What createLogin gives, or anything that can refresh and revoke. */
  login: Pick<Login, 'refresh' | 'revoke'>
  /** What complete() gave. Default: what the store has. */
  tokens?: Tokens
  /** Default: in memory, lost with the process. */
  tokenStore?: TokenStore
  /** Called once the tokens are gone. */
  onSignedOut?: (reason: SignedOutReason) => void
}

export interface Session {
  findTokens(): Promise<Tokens | undefined>
  /** @throws SessionError `login_required` when nobody is signed in */
  getAccessToken(): Promise<string>
  /**
   * Answers a 401: gives an access token other than the stale one, by a refresh only if there is none yet.
   *
   * @throws SessionError `login_required` after the session ended, `temporarily_unavailable` when it stays
   */
  refresh(staleAccessToken: string): Promise<string>
  /** Replaces whoever was signed in. */
  signIn(tokens: Tokens): Promise<void>
  /** Forgets the tokens first, then has the service end them. @throws SessionError when the service could not be told */
  signOut(): Promise<void>
}

export function createSession({
  login,
  tokens,
  tokenStore = memoryTokenStore(),
  onSignedOut,
}: SessionOptions): Session {
  const begun = Promise.resolve(tokens && tokenStore.write(tokens))
  // Whoever uses the session is told; without this line a failing store would end the process before that.
  begun.catch(() => {})
  let refreshing: Promise<string> | undefined

  return {
    findTokens,
    getAccessToken: async () => (await getTokens()).accessToken,
    refresh,
    async signIn(tokens) {
      await begun
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
    await begun
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
    const work = () => renew(stale)
    refreshing = (tokenStore.lock ? tokenStore.lock(work) : work()).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  async function renew(stale: string): Promise<string> {
    const held = await getTokens()
    if (held.accessToken !== stale) return held.accessToken
    let renewed: Tokens
    try {
      renewed = await exchange(held)
    } catch (error) {
      if (!(await isHeld(held))) return (await getTokens()).accessToken
      if (error instanceof SessionError && error.code === 'login_required') await end('login_required')
      throw error
    }
    // Signed out, or in again, while the service was asked: what is there now counts.
    if (!(await isHeld(held))) return (await getTokens()).accessToken
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

  async function isHeld({ accessToken, refreshToken }: Tokens): Promise<boolean> {
    const now = await tokenStore.read()
    return now?.accessToken === accessToken && now.refreshToken === refreshToken
  }

  async function end(reason: SignedOutReason): Promise<void> {
    await tokenStore.clear()
    onSignedOut?.(reason)
  }
}
