/**
 * The whole SDK in one object: signs a user in, keeps the user signed in, and calls the service for the user.
 * In: the service's origins and a registered client. Out: a Posrep. It joins createLogin(), createSession() and
 * createClient().
 */
import type { Client } from './calls/client.ts'
import { createClient } from './calls/create-client.ts'
import { createLogin, type Login, type PendingLogin, type StartedLogin, type StartOptions } from './login/login.ts'
import { createPageSignIn, type SignInOptions } from './login/page-sign-in.ts'
import { type OriginOptions, toOrigins } from './origins.ts'
import { type Clock, type Fetch, findSystemPage, findSystemStorage, systemClock, systemFetch } from './ports.ts'
import { createSession, type Session, type SignedOutReason } from './session/session.ts'
import { memoryTokenStore } from './stores/memory.ts'
import type { TokenStore } from './stores/token-store.ts'

export type PosrepOptions = OriginOptions & {
  /** ID of the registered client. */
  clientId: string
  /** Set it only where users cannot read it. A browser-only app is registered as a public client and has no secret. */
  clientSecret?: string
  /** Exactly as registered. In a browser it is a page of this app that calls handleCallback(). */
  redirectUri: string
  /** Space separated. Default `surveillance_api`. */
  scope?: string
  /**
   * Where the user's tokens are. On a server each user has an own Posrep with an own store: creating one is cheap.
   * Default: `memoryTokenStore()`, lost with the page or the process.
   */
  tokenStore?: TokenStore
  /** Called once when the session ends: here, or in another tab that shares the store. */
  onSignedOut?: (reason: SignedOutReason) => void
  /** Default of every call's `timeoutMs`, in ms: 1 to 2,147,483,647. Default 30,000. */
  timeoutMs?: number
  /** Default: the global fetch. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
}

export interface Posrep extends Client {
  /**
   * Browsers only: sends the user to the sign-in page in the same tab. It never resolves, because the page ends.
   *
   * @throws LoginError `wrong_origin` when the page is not at the origin of `redirectUri`, `insecure_origin` when it is
   * neither https nor on localhost, `sign_in_left` when the user came back to the page, `storage_unavailable` when
   * sessionStorage, which must remember the sign-in, is disabled; use signInWithPopup() from `@posrep/client-sdk/popup`
   * then
   */
  signIn(options?: SignInOptions): Promise<never>
  /**
   * Browsers only: call it when a page of the app loads, at least on the page at the redirect URI. If the address is
   * the callback of signIn(), it finishes the sign-in and replaces the address by `returnTo`, without a load. What is
   * not a callback of this client is left alone. Resolves with whether a user is signed in.
   *
   * @throws LoginError as Login.complete(), for example `access_denied`; the address is replaced then too, so that a
   * reload does not fail again
   */
  handleCallback(): Promise<boolean>
  /**
   * Servers and terminal programs: send the user to `url`, and keep `pending` in the user's own session until the
   * callback.
   */
  startSignIn(options?: StartOptions): Promise<StartedLogin>
  /**
   * Finishes what startSignIn() began: exchanges the callback's code and stores the tokens.
   *
   * @throws LoginError as Login.complete()
   */
  completeSignIn(pending: PendingLogin, callbackUrl: string | URL): Promise<void>
  /** Whether there are tokens. They may have ended since: the next call tells. */
  isSignedIn(): Promise<boolean>
  /**
   * Deletes the tokens, then asks the service to revoke them. The user stays signed in at the service's own pages in
   * this browser, so that the next sign-in asks for no password; signOutAtService() of `@posrep/client-sdk/sign-out`
   * ends that, too.
   *
   * @throws SessionError when the revocation fails
   */
  signOut(): Promise<void>
  /** The parts that sign in. */
  login: Login
  /** The user's tokens. */
  session: Session
}

/**
 * Joins sign-in, session and calls for one user. @throws TypeError for wrong or unknown options
 *
 * @example
 * ```ts
 * import { createPosrep, webTokenStore } from '@posrep/client-sdk'
 *
 * const posrep = createPosrep({
 *   origin: 'https://localhost:8443',
 *   clientId: 'map-view',
 *   redirectUri: `${location.origin}/callback`,
 *   tokenStore: webTokenStore(),
 * })
 * if (!(await posrep.handleCallback())) await posrep.signIn()
 * for (const { deviceName } of (await posrep.listDevices()).data) console.log(deviceName)
 * ```
 */
export function createPosrep({
  clientId,
  clientSecret,
  redirectUri,
  scope,
  tokenStore = memoryTokenStore(),
  onSignedOut,
  timeoutMs,
  fetch = systemFetch,
  clock = systemClock,
  ...originOptions
}: PosrepOptions): Posrep {
  const { auth: authOrigin } = toOrigins(originOptions, 'createPosrep')
  const login = createLogin({ authOrigin, clientId, clientSecret, redirectUri, scope, fetch, clock })
  const session = createSession({ login, tokenStore, onSignedOut, clock })
  const client = createClient({ ...originOptions, session, timeoutMs, fetch, clock })
  const page = findSystemPage()
  const pageSignIn = createPageSignIn({
    login,
    issuer: authOrigin,
    clientId,
    redirectUri,
    page,
    storage: page && findSystemStorage('sessionStorage'),
  })
  let handling: Promise<boolean> | undefined

  const isSignedIn = async () => (await session.findTokens()) !== undefined

  return {
    ...client,
    login,
    session,
    signIn: pageSignIn.start,
    handleCallback() {
      // A component may be mounted twice; the second call must not see the address that the first has cleaned.
      handling ??= handleCallback().finally(() => {
        handling = undefined
      })
      return handling
    },
    startSignIn: login.start,
    async completeSignIn(pending, callbackUrl) {
      await session.signIn(await login.complete(pending, callbackUrl))
    },
    isSignedIn,
    signOut: session.signOut,
  }

  async function handleCallback(): Promise<boolean> {
    const tokens = await pageSignIn.complete()
    if (!tokens) return isSignedIn()
    await session.signIn(tokens)
    return true
  }
}
