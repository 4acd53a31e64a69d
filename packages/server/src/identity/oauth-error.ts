/**
 * Errors of the identity provider and the one place that turns anything thrown into RFC 6749 §5.2 JSON.
 * In: what an operation, a parser or the validator threw. Out: status, body and headers of the answer.
 */
import { ApiError, type ApiErrorCode } from '../errors.ts'
import { RefusedRequest } from '../http/validation/check-request.ts'

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  /** OpenID Connect Core §3.1.2.6: the answer to `prompt=none`. */
  | 'interaction_required'
  | 'server_error'
  | 'temporarily_unavailable'

export interface OAuthErrorOptions extends ErrorOptions {
  /** Default: 401 for `invalid_client`, 400 for the rest (RFC 6749 §5.2). */
  status?: OAuthErrorStatus
  headers?: Record<string, string>
}

export type OAuthErrorStatus = 400 | 401 | 405 | 413 | 429 | 500 | 503

export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status: OAuthErrorStatus
  readonly headers: Record<string, string>

  constructor(code: OAuthErrorCode, message: string, { status, headers = {}, ...options }: OAuthErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.status = status ?? (code === 'invalid_client' ? 401 : 400)
    this.headers = headers
  }
}

export interface OAuthErrorAnswer {
  status: OAuthErrorStatus
  body: { error: OAuthErrorCode; error_description: string }
  headers: Record<string, string>
}

/** No cache may keep a token answer or its errors (RFC 6749 §5.1). */
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

const apiErrors: Partial<Record<ApiErrorCode, { status: OAuthErrorStatus; code: OAuthErrorCode }>> = {
  method_not_allowed: { status: 405, code: 'invalid_request' },
  body_too_large: { status: 413, code: 'invalid_request' },
  too_many_requests: { status: 429, code: 'temporarily_unavailable' },
  unavailable: { status: 503, code: 'temporarily_unavailable' },
}

/** @param form The parsed body, if there is one; it distinguishes a missing `grant_type` from an unknown one. */
export function toOAuthError(thrown: unknown, form?: unknown): OAuthErrorAnswer {
  if (thrown instanceof OAuthError) return answer(thrown.status, thrown.code, thrown.message, thrown.headers)
  if (thrown instanceof ApiError) {
    const { status, code } = apiErrors[thrown.code] ?? { status: 400, code: 'invalid_request' }
    return answer(status, code, status === 503 ? unavailable : thrown.message, thrown.headers)
  }
  if (thrown instanceof RefusedRequest) return fromRefusedRequest(thrown, form)
  return answer(500, 'server_error', 'The server failed; try again')
}

export const supportedGrants = 'Grants are authorization_code, refresh_token and client_credentials'

const unavailable = 'The request could not be processed; try again'

function fromRefusedRequest({ findings }: RefusedRequest, form: unknown): OAuthErrorAnswer {
  if (findings.some(({ keyword }) => keyword === 'discriminator')) {
    return isGrantTypeMissing(form)
      ? answer(400, 'invalid_request', '"grant_type" must be sent once')
      : answer(400, 'unsupported_grant_type', supportedGrants)
  }
  const [, field] = findings.find(({ part }) => part === 'body')?.pointer.split('/') ?? []
  return answer(400, 'invalid_request', field ? `"${field}" is missing or wrong` : 'The form could not be read')
}

/** The finding is the same for a missing, a repeated and an unknown `grant_type`. */
function isGrantTypeMissing(form: unknown): boolean {
  if (typeof form !== 'object' || form === null) return false
  return !('grant_type' in form) || typeof form.grant_type !== 'string' || form.grant_type === ''
}

function answer(
  status: OAuthErrorStatus,
  error: OAuthErrorCode,
  description: string,
  headers: Record<string, string> = {},
): OAuthErrorAnswer {
  return { status, body: { error, error_description: toDescription(description) }, headers: { ...noStore, ...headers } }
}

/** RFC 6749 §5.2: printable ASCII without `"` and `\`. */
function toDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?')
}
