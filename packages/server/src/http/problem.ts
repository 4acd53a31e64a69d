/**
 * The one place where errors become answers of the API (RFC 9457).
 * In: whatever a room, a parser or the validator threw. Out: a status and a problem that names the place.
 */
import type { Problem } from '@posrep/spec'
import { ApiError, type ApiErrorCode, type ErrorPlace } from '../errors.ts'

const statuses = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_body: { status: 400, title: 'Invalid body' },
  invalid_token: { status: 401, title: 'Invalid access token' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  sensor_mismatch: { status: 403, title: "Not the token's sensor" },
  csrf_mismatch: { status: 403, title: 'The form is not from this browser session' },
  loopback_only: { status: 403, title: 'For this machine only' },
  not_found: { status: 404, title: 'Not found' },
  device_not_found: { status: 404, title: 'No such device' },
  pairing_not_found: { status: 404, title: 'No pairing request' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  pairing_pending_elsewhere: { status: 409, title: 'Being paired elsewhere' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
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

/** `undefined` for an error that nobody planned for: the caller logs it and answers 500 with no detail. */
export function toProblem(error: unknown): ProblemAnswer | undefined {
  const known = error instanceof ApiError ? error : toApiError(error)
  if (!known) return undefined
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

export const internalProblem: Problem = {
  type: 'urn:problem:internal_error',
  title: 'Internal error',
  status: 500,
  detail: 'The request failed for a reason of ours; it is logged under the request id of this answer',
  code: 'internal_error',
}

/** What express, its body parsers and express-openapi-validator throw: an Error with a status. */
interface HttpError extends Error {
  status: number
  type?: string
  headers?: Record<string, string>
  errors?: { path: string; message: string; errorCode?: string }[]
}

/** Turns a framework's error into ours; anything else stays unknown. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (!isHttpError(error)) return undefined
  const { status, type, headers = {}, errors = [] } = error
  switch (status) {
    case 400: {
      const places = distinct(errors.map(toPlace))
      const inBody = places.every(({ pointer }) => !/^\/(query|path|headers)\//.test(pointer))
      const message = places.length > 0 ? summary(places) : parseMessage(error)
      return new ApiError(inBody ? 'invalid_body' : 'invalid_request', message, { errors: places, cause: error })
    }
    case 404:
      return new ApiError('not_found', 'There is nothing at this path', { cause: error })
    case 405:
      return new ApiError('method_not_allowed', 'This path does not take that method', { headers, cause: error })
    case 413:
      return new ApiError('body_too_large', 'The body is larger than 1 MiB; send fewer positions per report', {
        headers: { Connection: 'close' },
        cause: error,
      })
    case 415:
      return new ApiError(
        'unsupported_media_type',
        type === 'encoding.unsupported'
          ? 'This Content-Encoding is not supported; use gzip, deflate, br or none'
          : 'This media type is not supported here',
        { cause: error },
      )
    default:
      return undefined
  }
}

function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
}

const partsOfRequest: Record<string, string> = {
  body: '',
  query: '/query',
  params: '/path',
  headers: '/headers',
  cookies: '/cookies',
}

function toPlace({ path, message, errorCode }: { path: string; message: string; errorCode?: string }): ErrorPlace {
  const [, part = '', rest = ''] = /^\/?([^/]+)(.*)$/.exec(path) ?? []
  const prefix = partsOfRequest[part]
  return {
    pointer: prefix === undefined ? path : `${prefix}${rest}`,
    code: errorCode?.replace(/\.openapi\.validation$/, '') ?? 'invalid',
    detail: message,
  }
}

function distinct(places: ErrorPlace[]): ErrorPlace[] {
  return [...new Map(places.map((place) => [`${place.pointer} ${place.detail}`, place])).values()]
}

function summary(places: ErrorPlace[]): string {
  const [first, ...rest] = places
  const place = first ? `"${first.pointer || '(the body)'}" ${first.detail}` : ''
  return rest.length > 0 ? `${place}; ${rest.length} more in "errors"` : place
}

function parseMessage({ message, type }: HttpError): string {
  if (type === 'entity.parse.failed') return `The body is not JSON: ${message}`
  return message
}
