/**
 * Sends requests to the token and revocation endpoints.
 * In: a form from the document. Out: an outcome. It neither throws nor retries.
 * See the document, operations issueToken and revokeToken.
 */
import type {
  AuthorizationCodeTokenRequest,
  OAuthError,
  paths,
  RefreshTokenRequest,
  RevocationRequest,
} from '@posrep/spec'
import type { Clock, Fetch } from './ports.ts'
import { type Tokens, toTokens } from './tokens.ts'

export type TokenOutcome =
  | { kind: 'accepted'; tokens: Tokens }
  | { kind: 'refused'; status: number; error: OAuthError['error'] | undefined; reason: string }
  | { kind: 'retry'; reason: string; cause?: unknown }

export interface TokenEndpointOptions {
  authOrigin: URL
  clock: Clock
  fetch: Fetch
}

export interface TokenEndpoint {
  issue(form: AuthorizationCodeTokenRequest | RefreshTokenRequest): Promise<TokenOutcome>
  /** Resolves with `undefined` on success. */
  revoke(form: RevocationRequest): Promise<Exclude<TokenOutcome, { kind: 'accepted' }> | undefined>
}

const tokenPath = '/oauth/v2/token' satisfies keyof paths
const revocationPath = '/oauth/v2/revoke' satisfies keyof paths
const timeoutMs = 30_000

export function createTokenEndpoint({ authOrigin, clock, fetch }: TokenEndpointOptions): TokenEndpoint {
  return {
    async issue(form) {
      const answer = await post(tokenPath, form)
      if ('kind' in answer) return answer
      const tokens = toTokens(answer.json, clock.now())
      if (tokens) return { kind: 'accepted', tokens }
      return {
        kind: 'refused',
        status: 200,
        error: undefined,
        reason: `POST ${tokenPath} answered 200 without an access token`,
      }
    },
    async revoke(form) {
      const answer = await post(revocationPath, form)
      return 'kind' in answer ? answer : undefined
    },
  }

  async function post(
    path: string,
    form: object,
  ): Promise<{ json: unknown } | Exclude<TokenOutcome, { kind: 'accepted' }>> {
    let status: number
    let json: unknown
    try {
      const response = await fetch(toRequest(new URL(path, authOrigin), form))
      status = response.status
      json = await response.json().catch(() => undefined) // for a body that is not JSON, the status decides
    } catch (cause) {
      return { kind: 'retry', reason: `POST ${path} got no response`, cause }
    }
    if (status === 200) return { json }
    const { error, error_description } = toOAuthError(json)
    const reason = `POST ${path} answered ${[status, error, error_description].filter(Boolean).join(', ')}`
    return status === 429 || status >= 500 ? { kind: 'retry', reason } : { kind: 'refused', status, error, reason }
  }
}

function toRequest(url: URL, form: object): Request {
  const fields = Object.entries(form).filter(([, value]) => value !== undefined)
  return new Request(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    credentials: 'omit',
    // The body contains secrets, so a redirect must not be followed.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

function toOAuthError(json: unknown): Partial<OAuthError> {
  return isOAuthError(json) ? json : {}
}

function isOAuthError(json: unknown): json is OAuthError {
  return typeof json === 'object' && json !== null && 'error' in json && typeof json.error === 'string'
}
