/**
 * Signs a user in: authorization code grant with PKCE.
 * In: a registered client. Out: a URL to send the user to, and tokens in exchange for the callback.
 * See the document, operations authorize and issueToken; RFC 6749 § 4.1, RFC 7636, RFC 9207.
 */
import type { OAuthError, Operations, paths } from '@posrep/spec'
import { LoginError, type LoginErrorCode, SessionError, type SessionErrorCode } from '../errors.ts'
import { checkNoOthers, toOrigin } from '../origins.ts'
import { type Clock, type Fetch, systemClock, systemFetch } from '../ports.ts'
import type { Tokens } from '../session/tokens.ts'
import { promisesIssuer } from './metadata.ts'
import { createRandom, toChallenge } from './pkce.ts'
import { createTokenEndpoint, type TokenFailure } from './token-endpoint.ts'

export interface LoginOptions {
  /** Origin of the identity provider, `{auth_url}`. The callback's issuer must be the same. */
  authOrigin: string | URL
  /** ID of the registered client. */
  clientId: string
  /** Set it only where users cannot read it. A browser-only app is registered as a public client and has no secret. */
  clientSecret?: string | undefined
  /** Where the service returns to, exactly as registered. */
  redirectUri: string
  /** Space separated. Default `surveillance_api`. */
  scope?: string | undefined
  /** Default: the global fetch. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
}

/** Plain JSON to store until the callback, where other logins cannot overwrite it. */
export interface PendingLogin {
  /** Recognises the callback. */
  state: string
  /** Proves that the code was requested here (PKCE). Keep it secret. */
  codeVerifier: string
}

export interface StartedLogin {
  /** Open it in the same window or a popup. */
  url: string
  /** Keep it until the callback; complete() takes it. */
  pending: PendingLogin
}

export interface StartOptions {
  /**
   * The sign-in is in a popup: handleCallback() on its callback page leaves it to the page that opened the popup.
   * Default false.
   */
  popup?: boolean
}

export interface Login {
  /** Makes the URL of the sign-in page. */
  start(options?: StartOptions): Promise<StartedLogin>
  /**
   * Exchanges the code of the callback for tokens. A code can be used once: after an error, start again.
   *
   * @throws LoginError `state_mismatch` or `issuer_mismatch` when the callback belongs to another login or has no
   * issuer although the service's metadata promises one, `code_missing` when it is no address or has no code,
   * `code_repeated` when it has several codes, `access_denied` when the user declined, `code_rejected` when the code
   * was already used or has expired.
   */
  complete(pending: PendingLogin, callbackUrl: string | URL): Promise<Tokens>
  /**
   * Exchanges a refresh token for new tokens; createSession() calls this.
   *
   * @throws SessionError `login_required` when the refresh token is no longer valid, `temporarily_unavailable` when the
   * service is unavailable.
   */
  refresh(refreshToken: string): Promise<Tokens>
  /**
   * Revokes a refresh token and the tokens issued from it. @throws SessionError `temporarily_unavailable`,
   * `client_rejected`
   */
  revoke(refreshToken: string): Promise<void>
}

type AuthorizeParameters = Operations['authorize']['parameters']['query']

/** Begins the `state` of sign-ins in a popup. */
export const popupPrefix = 'posrep-popup.'

const authorizePath = '/oauth/v2/authorize' satisfies keyof paths

/** The authorization code flow with PKCE, and the token endpoint. @throws TypeError for wrong or unknown options */
export function createLogin({
  authOrigin,
  clientId,
  clientSecret,
  redirectUri,
  scope = 'surveillance_api',
  fetch = systemFetch,
  clock = systemClock,
  ...others
}: LoginOptions): Login {
  checkNoOthers(others, 'createLogin')
  const origin = toOrigin('authOrigin', authOrigin)
  checkClient({ clientId, redirectUri })
  const endpoint = createTokenEndpoint({ authOrigin: origin, clock, fetch })
  const client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }

  return {
    async start({ popup = false } = {}) {
      const pending = { state: `${popup ? popupPrefix : ''}${createRandom(16)}`, codeVerifier: createRandom(32) }
      const query = toQuery({
        client_id: clientId,
        response_type: 'code',
        scope,
        redirect_uri: redirectUri,
        state: pending.state,
        code_challenge: await toChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: `${origin}${authorizePath}?${query}`, pending }
    },

    async complete(pending, callbackUrl) {
      const { state, codeVerifier } = checkPending(pending)
      if (!URL.canParse(`${callbackUrl}`)) {
        throw new LoginError('code_missing', `The callback must be a whole address, got "${callbackUrl}"`)
      }
      const callback = new URL(callbackUrl).searchParams
      checkOrigin(callback, { state, issuer: origin })
      if (!callback.has('iss') && (await promisesIssuer({ authOrigin: origin, fetch }))) {
        throw new LoginError('issuer_mismatch', `The callback has no issuer, "${origin}" sends one; start again`)
      }
      const code = readCode(callback)
      const outcome = await endpoint.issue({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        ...client,
      })
      if (outcome.kind === 'accepted') return outcome.tokens
      throw toLoginError(outcome)
    },

    async refresh(refreshToken) {
      const outcome = await endpoint.issue({ grant_type: 'refresh_token', refresh_token: refreshToken, ...client })
      // A service that does not rotate refresh tokens omits `refresh_token`, RFC 6749 § 6.
      if (outcome.kind === 'accepted') return { refreshToken, ...outcome.tokens }
      throw toSessionError(outcome)
    },

    async revoke(refreshToken) {
      const failure = await endpoint.revoke({ token: refreshToken, token_type_hint: 'refresh_token', ...client })
      if (failure) throw toSessionError(failure)
    },
  }
}

function checkClient({ clientId, redirectUri }: Pick<LoginOptions, 'clientId' | 'redirectUri'>): void {
  if (typeof clientId !== 'string' || clientId === '') {
    throw new TypeError(`"clientId" must be a client's ID, got ${JSON.stringify(clientId)}`)
  }
  if (typeof redirectUri !== 'string' || !URL.canParse(redirectUri)) {
    throw new TypeError(`"redirectUri" must be a whole address, got ${JSON.stringify(redirectUri)}`)
  }
}

/** Apps read it from a session that may have ended. */
function checkPending(pending: PendingLogin | undefined | null): PendingLogin {
  if (pending) return pending
  throw new LoginError('state_mismatch', 'There is no pending sign-in; keep it until the callback')
}

/**
 * Spaces become %20, not +. In the redirect URI only characters that would end the parameter are encoded (specification
 * § Identity provider).
 */
function toQuery(parameters: AuthorizeParameters): string {
  return Object.entries(parameters)
    .map(
      ([name, value]) =>
        `${name}=${name === 'redirect_uri' ? value.replace(/[%&#+\s]/g, encodeURIComponent) : encodeURIComponent(value)}`,
    )
    .join('&')
}

/** Checks state and issuer before the code or the error, because these may belong to another login. */
function checkOrigin(callback: URLSearchParams, { state, issuer }: { state: string; issuer: string }): void {
  const states = callback.getAll('state')
  if (states.length !== 1 || states[0] !== state) {
    throw new LoginError('state_mismatch', 'The callback is of another sign-in; start again')
  }
  const foreign = callback.getAll('iss').find((one) => one !== issuer)
  if (foreign !== undefined) {
    throw new LoginError(
      'issuer_mismatch',
      `The callback must come from "${issuer}", got "${foreign}"; check "origin" or "authOrigin"`,
    )
  }
}

function readCode(callback: URLSearchParams): string {
  const error = callback.get('error')
  if (error !== null) throw toRefusal(error, callback.get('error_description'))
  const [code, ...others] = callback.getAll('code')
  if (!code) throw new LoginError('code_missing', 'The callback has no code; start again')
  if (others.length > 0) throw new LoginError('code_repeated', 'The callback has several codes; start again')
  return code
}

function toRefusal(error: string, description: string | null): LoginError {
  const detailText = description ? `: ${description}` : ''
  // The error may be a newer code that this version's type does not list.
  const details = { oauthError: error as OAuthError['error'] }
  return error === 'access_denied'
    ? new LoginError(error, `The user declined${detailText}`, details)
    : new LoginError('authorization_refused', `The service refused the login with "${error}"${detailText}`, details)
}

function toLoginError({ kind, error, reason, details }: TokenFailure): LoginError {
  const [code, advice]: [LoginErrorCode, string] =
    kind === 'retry'
      ? ['temporarily_unavailable', 'start again later']
      : error === 'invalid_grant'
        ? ['code_rejected', 'a code works once, within 60 s; start again']
        : isClientRejected(error)
          ? ['client_rejected', checkSecret]
          : ['unexpected_answer', 'check "authOrigin" and "redirectUri"']
  return new LoginError(code, `${reason}; ${advice}`, { ...details, oauthError: error })
}

/**
 * A 401 on a refresh means that the user must sign in again (specification § Errors), except when the client's secret
 * is wrong.
 */
function toSessionError({ kind, error, reason, details }: TokenFailure): SessionError {
  const [code, advice]: [SessionErrorCode, string] =
    kind === 'retry'
      ? ['temporarily_unavailable', 'the session continues, try again later']
      : isClientRejected(error)
        ? ['client_rejected', `the session continues, ${checkSecret}`]
        : error === 'invalid_grant' || details.status === 401
          ? ['login_required', 'the user must sign in again']
          : ['unexpected_answer', 'the session continues, check "authOrigin"']
  return new SessionError(code, `${reason}; ${advice}`, details)
}

const checkSecret = 'check "clientId" and "clientSecret"'

function isClientRejected(error: TokenFailure['error']): boolean {
  return error === 'invalid_client' || error === 'unauthorized_client'
}
