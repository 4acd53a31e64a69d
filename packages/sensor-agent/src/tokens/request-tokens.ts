/**
 * Sends one request to the token endpoint.
 * In: a grant's form. Out: the tokens, a permanent refusal, or a temporary failure.
 * See the specification, Token response and Device token request; RFC 6749 § 5.
 */

import { withDeadline } from '@posrep/kernel/with-deadline'
import type { DeviceTokenRequest, OAuthError, paths, RefreshTokenRequest, TokenResponse } from '@posrep/spec'
import { vOAuthError, vTokenResponse } from '@posrep/spec/validators'
import { toUrl } from '../check-option.ts'
import { AgentError } from '../errors.ts'
import { type Answer, findDetail, findProblemOfService, findValid, readAnswer } from '../http/answer.ts'
import { toRetryAfterMs } from '../http/backoff.ts'
import { toUnreachable } from '../http/explain-failure.ts'
import { isPage, toForeignAnswer, toWrongAddress } from '../http/foreign-answer.ts'
import type { Clock, Fetch } from '../ports.ts'

export type TokenAnswer =
  | { kind: 'granted'; tokens: TokenResponse }
  | { kind: 'refused'; status: number; error: OAuthError['error'] | undefined; reason: string }
  /**
   * `service_unreachable` without an answer, `token_unavailable` with one that passes, `foreign_answer` with one that
   * is not the service's.
   */
  | { kind: 'unavailable'; error: AgentError }

export interface TokenRequestOptions {
  authOrigin: URL
  clock: Clock
  fetch: Fetch
  deadlineMs: number
}

const provider = 'identity provider'
const tokenPath = '/oauth/v2/token' satisfies keyof paths

export async function requestTokens(
  form: DeviceTokenRequest | RefreshTokenRequest,
  { authOrigin, clock, fetch, deadlineMs }: TokenRequestOptions,
): Promise<TokenAnswer> {
  try {
    return await withDeadline({ clock, ms: deadlineMs }, async (signal) => {
      const response = await fetch(
        new Request(toUrl(authOrigin, tokenPath), {
          method: 'POST',
          headers: { accept: 'application/json' },
          body: new URLSearchParams({ ...form }),
          redirect: 'manual',
          signal,
        }),
      )
      return toAnswer(await readAnswer(response), clock.now())
    })
  } catch (cause) {
    return { kind: 'unavailable', error: toUnreachable(tokenPath, cause) }
  }
}

function toAnswer({ status, headers, body }: Answer, nowMs: number): TokenAnswer {
  if (status === 200) {
    const tokens = findValid(vTokenResponse, withLowerCaseType(body))
    if (tokens) return { kind: 'granted', tokens }
    const reason = `${tokenPath} answered 200 without valid tokens`
    return { kind: 'unavailable', error: toForeignAnswer({ status, headers }, reason, provider) }
  }

  const oauth = findValid(vOAuthError, body)
  const said = oauth ? ` ${oauth.error}${oauth.error_description ? `: ${oauth.error_description}` : ''}` : ''
  const reason = `${tokenPath} answered ${status}${said}`
  // A refusal is permanent only if it comes from the token endpoint itself; a 400 or a page from a proxy is not.
  if ((status === 401 && !isPage(headers)) || (status === 400 && oauth))
    return { kind: 'refused', status, error: oauth?.error, reason }
  // What passes; a gateway may say it in place of the service.
  if (oauth || status === 408 || status === 429 || status >= 500)
    return toUnavailable(reason, toRetryAfterMs(headers, nowMs))
  const problem = findProblemOfService({ status, headers, body })
  const detail = findDetail(body)
  return {
    kind: 'unavailable',
    error: problem
      ? toWrongAddress(`${reason}${detail ? `: ${detail}` : ''}`, provider)
      : toForeignAnswer({ status, headers }, reason, provider),
  }
}

function toUnavailable(reason: string, retryAfterMs?: number): TokenAnswer {
  return { kind: 'unavailable', error: new AgentError('token_unavailable', reason, { retryAfterMs }) }
}

/** `token_type` is case-insensitive (RFC 6749 § 5.1); the document's schema expects `bearer`. */
function withLowerCaseType(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('token_type' in body)) return body
  return { ...body, token_type: String(body.token_type).toLowerCase() }
}
