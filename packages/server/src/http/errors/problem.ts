/**
 * Maps errors to answers of the API (RFC 9457); no other file does.
 * In: what was thrown. Out: a status and a problem, with a JSON Pointer for each error of the request.
 */
import type { Problem } from '@posrep/spec'
import { ApiError, type ApiErrorCode } from '../../errors.ts'
import { RefusedRequest } from '../validation/check-request.ts'
import { toErrors } from './validation-errors.ts'

const statuses = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_body: { status: 400, title: 'Invalid body' },
  invalid_token: { status: 401, title: 'Invalid access token' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  sensor_mismatch: { status: 403, title: "Not the token's sensor" },
  loopback_only: { status: 403, title: 'For this machine only' },
  not_found: { status: 404, title: 'Not found' },
  device_not_found: { status: 404, title: 'No such device' },
  pairing_not_found: { status: 404, title: 'No pairing request' },
  delivery_not_found: { status: 404, title: 'No such delivery' },
  track_not_found: { status: 404, title: 'No such track' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  pairing_pending_elsewhere: { status: 409, title: 'Being paired elsewhere' },
  pairing_not_allowed: { status: 409, title: 'Pairing needs an operator' },
  relay_not_validated: { status: 409, title: 'The relay address was not changed' },
  relay_not_active: { status: 409, title: 'The relay is not Active' },
  delivery_not_resendable: { status: 409, title: 'This message cannot be resent' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  transfer_encoding_not_supported: { status: 501, title: 'Unsupported transfer coding' },
  http_version_not_supported: { status: 505, title: 'Unsupported HTTP version' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Try again' },
} as const satisfies Record<ApiErrorCode, { status: number; title: string }>

export interface ProblemAnswer {
  status: number
  headers: Record<string, string>
  problem: Problem
}

const defaultHeaders: Partial<Record<ApiErrorCode, Record<string, string>>> = {
  unavailable: { 'Retry-After': '1' },
}

/**
 * An unexpected error becomes a 500 without detail; the caller logs it.
 * @param body The request's body, if it was parsed; hints at likely mistakes are taken from it.
 */
export function toProblem(error: unknown, body?: unknown): ProblemAnswer {
  const known = error instanceof RefusedRequest ? fromFindings(error, body) : error
  if (!(known instanceof ApiError)) return { status: 500, headers: {}, problem: internalProblem }
  const { status, title } = statuses[known.code]
  return {
    status,
    headers: { ...defaultHeaders[known.code], ...known.headers },
    problem: {
      type: `urn:problem:${known.code}`,
      title,
      status,
      detail: known.message,
      code: known.code,
      ...(known.errors.length > 0 && { errors: known.errors }),
    },
  }
}

const internalProblem: Problem = {
  type: 'urn:problem:internal_error',
  title: 'Internal error',
  status: 500,
  detail: 'The server failed; its log has the error under the X-Request-Id of this answer',
  code: 'internal_error',
}

function fromFindings(cause: RefusedRequest, body: unknown): ApiError {
  const errors = toErrors(cause.findings, body)
  const inBody = cause.findings.every(({ part }) => part === 'body')
  const [first, ...rest] = errors
  const sentence = first ? `"${first.pointer || '(the body)'}" ${first.detail}` : ''
  const message = rest.length > 0 ? `${sentence}; ${rest.length} more in "errors"` : sentence
  return new ApiError(inBody ? 'invalid_body' : 'invalid_request', message, { errors, cause })
}
