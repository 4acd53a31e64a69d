/**
 * Turns responses of the API into values and errors. No other file creates an ApiError from a response.
 * In: an operation's response. Out: its value, or an ApiError.
 */
import type { OperationId, Problem } from '@posrep/spec'
import { ApiError, type ApiErrorCode } from './errors.ts'

export interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** @throws ApiError for every other response than the operation's success */
export async function getValue<T>(operation: OperationId, answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    throw toReadError(operation, cause)
  })
  if (response.ok && data !== undefined) return data
  throw toApiError(operation, response.status, error)
}

/** For an operation that answers 204. */
export async function checkDone(operation: OperationId, answer: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await answer
  if (!response.ok) throw toApiError(operation, response.status, error)
}

interface Meaning {
  code: ApiErrorCode
  advice: string
}

const meanings: Record<number, Meaning> = {
  400: { code: 'invalid_request', advice: 'see "problem" for the details' },
  401: { code: 'unauthorized', advice: 'the access token is not valid here; the user must sign in again' },
  403: { code: 'forbidden', advice: 'the access token lacks the scope "surveillance_api"' },
  404: { code: 'not_found', advice: 'it does not exist, or not in this account' },
  409: { code: 'conflict', advice: 'try again later' },
  413: { code: 'invalid_request', advice: 'send less' },
  415: { code: 'invalid_request', advice: 'send JSON' },
  429: { code: 'too_many_requests', advice: 'try again later' },
}

function toApiError(operation: OperationId, status: number, body: unknown): ApiError {
  const problem = isProblem(body) ? body : undefined
  const { code, advice } = meanings[status] ?? toMeaning(status)
  const detailText = problem ? `: ${problem.detail ?? problem.title}` : ''
  return new ApiError(code, `${operation} was answered ${status || 'with a redirect'}${detailText}; ${advice}`, {
    status,
    problem,
  })
}

function toMeaning(status: number): Meaning {
  if (status >= 500) return { code: 'unavailable', advice: 'try again later' }
  // Browsers report a redirect that was not followed as status 0.
  return {
    code: 'unexpected_answer',
    advice: 'check "uiOrigin"; redirects are not followed, because they would carry the token',
  }
}

function toReadError(operation: OperationId, cause: unknown): unknown {
  if (cause instanceof SyntaxError) {
    return new ApiError(
      'unexpected_answer',
      `${operation} was answered with a body that is not JSON; check "uiOrigin"`,
      {
        cause,
      },
    )
  }
  if (cause instanceof TypeError) {
    return new ApiError(
      'unreachable',
      `Connection closed before the response to ${operation} was complete; try again later`,
      {
        cause,
      },
    )
  }
  return cause
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'title' in body && 'code' in body && typeof body.code === 'string'
}
