/**
 * Turns errors into responses (RFC 9457). No other file does.
 * In: any thrown value. Out: a problem document without the cause; its status decides whether the service sends the
 * message again. The service sets a message aside on 400, 413, 415 and 422, and sends it again on every other error. So
 * the first two are only for what the sender has sent; what a proxy may have changed on the way has another status.
 */
import type { Problem } from '@posrep/spec'
import { ReceiverError, type ReceiverErrorCode } from './errors.ts'

const statuses = {
  invalid_body: { status: 400, title: 'Invalid body' },
  unknown_message: { status: 400, title: 'Unknown message' },
  invalid_signature: { status: 401, title: 'Invalid signature' },
  unexpected_device: { status: 403, title: 'Unexpected device' },
  unexpected_validation: { status: 403, title: 'Unexpected validation' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  body_incomplete: { status: 408, title: 'Incomplete body' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 403, title: 'Unsupported media type' },
  body_already_read: { status: 500, title: 'The body was already read' },
  deadline_passed: { status: 503, title: 'Try again' },
  keys_unavailable: { status: 503, title: 'Try again' },
  report_not_taken: { status: 503, title: 'Try again' },
  store_unavailable: { status: 503, title: 'Try again' },
  too_busy: { status: 503, title: 'Try again' },
} as const satisfies Record<ReceiverErrorCode, { status: number; title: string }>

const internalError = { code: 'internal_error', status: 500, title: 'Internal error' } as const

/**
 * Without it the service waits longer after each refusal, which is right for everything except a short peak of load.
 */
const retryAfterSeconds = 1

export function toProblem(error: unknown): Problem {
  const { code, status, title } =
    error instanceof ReceiverError ? { code: error.code, ...statuses[error.code] } : internalError
  const problem: Problem = { type: `urn:problem:${code}`, title, status, code }
  if (error instanceof ReceiverError) {
    problem.detail = error.message
    if (error.errors.length > 0) problem.errors = error.errors
  }
  return problem
}

export function toProblemResponse(problem: Problem): Response {
  const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  if (problem.code === 'method_not_allowed') headers.set('allow', 'POST')
  if (problem.code === 'too_busy') headers.set('retry-after', String(retryAfterSeconds))
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
