/**
 * The one place where errors become answers (RFC 9457).
 * In: whatever was thrown. Out: a status that tells the service whether to send again, and a problem without the cause.
 * The service buries a message on 400, 413 and 415, and sends it again on everything else; DESIGN, "Deliveries".
 */
import type { Problem } from '@posrep/spec'
import { ReceiverError, type ReceiverErrorCode } from './errors.ts'

const statuses = {
  invalid_body: { status: 400, title: 'Invalid body' },
  unknown_message: { status: 400, title: 'Unknown message' },
  invalid_signature: { status: 401, title: 'Invalid signature' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  body_incomplete: { status: 408, title: 'The body broke off' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  body_already_read: { status: 500, title: 'The receiver is mounted behind a body parser' },
  deadline_passed: { status: 503, title: 'Try again' },
  keys_unavailable: { status: 503, title: 'Try again' },
  report_not_taken: { status: 503, title: 'Try again' },
} as const satisfies Record<ReceiverErrorCode, { status: number; title: string }>

const unplanned = { code: 'internal_error', status: 500, title: 'Internal error' } as const

export function toProblemResponse(error: unknown): Response {
  const { code, status, title } =
    error instanceof ReceiverError ? { code: error.code, ...statuses[error.code] } : unplanned
  const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  if (code === 'method_not_allowed') headers.set('allow', 'POST')
  const problem: Problem = { type: `urn:problem:${code}`, title, status, code }
  if (error instanceof ReceiverError) {
    problem.detail = error.message
    if (error.places.length > 0) problem.errors = error.places
  }
  return new Response(JSON.stringify(problem), { status, headers })
}
