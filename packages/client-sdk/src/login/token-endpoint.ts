/**
 * Sends requests to the token and revocation endpoints.
 * In: a form from the document. Out: an outcome. It neither throws nor retries.
 * See the document, operations issueToken and revokeToken.
 */

import { keepSignal } from '@posrep/kernel/keep-signal'
import type {
  AuthorizationCodeTokenRequest,
  OAuthError,
  paths,
  RefreshTokenRequest,
  RevocationRequest,
} from '@posrep/spec'
import type { ErrorDetails } from '../errors.ts'
import type { Clock, Fetch } from '../ports.ts'
import { toNoResponse } from '../request/no-response.ts'
import { privateInit } from '../request/private-request.ts'
import { toDetails } from '../request/response-details.ts'
import { type Tokens, toTokens } from '../session/tokens.ts'

export interface TokenFailure {
  /** `retry`: the service is busy or did not answer. */
  kind: 'refused' | 'retry'
  /** The OAuth error code, if the service sent one. */
  error: OAuthError['error'] | undefined
  reason: string
  details: ErrorDetails
}

export type TokenOutcome = { kind: 'accepted'; tokens: Tokens } | TokenFailure

export interface TokenEndpointOptions {
  authOrigin: string
  clock: Clock
  fetch: Fetch
}

export interface TokenEndpoint {
  issue(form: AuthorizationCodeTokenRequest | RefreshTokenRequest): Promise<TokenOutcome>
  /** Resolves with `undefined` on success. */
  revoke(form: RevocationRequest): Promise<TokenFailure | undefined>
}

const tokenPath = '/oauth/v2/token' satisfies keyof paths
const revocationPath = '/oauth/v2/revoke' satisfies keyof paths
const timeoutMs = 10_000

export function createTokenEndpoint({ authOrigin, clock, fetch }: TokenEndpointOptions): TokenEndpoint {
  return {
    async issue(form) {
      const answer = await post(tokenPath, form)
      if ('kind' in answer) return answer
      const tokens = toTokens(answer.json, clock.now())
      if (tokens) return { kind: 'accepted', tokens }
      const reason = `POST ${tokenPath} answered 200 without an access token`
      return { kind: 'refused', error: undefined, reason, details: answer.details }
    },
    async revoke(form) {
      const answer = await post(revocationPath, form)
      return 'kind' in answer ? answer : undefined
    },
  }

  async function post(path: string, form: object): Promise<{ json: unknown; details: ErrorDetails } | TokenFailure> {
    let response: Response
    let json: unknown
    try {
      response = await fetch(toRequest(new URL(path, authOrigin), form))
      json = await response.json().catch((cause: unknown) => {
        // For a body that is not JSON the status decides. A body that broke off may have had the tokens.
        if (!(cause instanceof SyntaxError)) throw cause
      })
    } catch (cause) {
      return { kind: 'retry', error: undefined, reason: `POST ${path} ${toNoResponse(cause)}`, details: { cause } }
    }
    const { status } = response
    const details = toDetails(response, clock.now())
    if (status === 200) return { json, details }
    // A proxy may send anything, so that the members may be missing.
    const { error, error_description } = (json ?? {}) as Partial<OAuthError>
    const reason = `POST ${path} answered ${[status, error, error_description].filter(Boolean).join(', ')}`
    return { kind: status === 429 || status >= 500 ? 'retry' : 'refused', error, reason, details }
  }
}

function toRequest(url: URL, form: object): Request {
  const fields = Object.entries(form).filter(([, value]) => value !== undefined)
  const request = new Request(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    ...privateInit,
    signal: AbortSignal.timeout(timeoutMs),
  })
  return keepSignal(request)
}
