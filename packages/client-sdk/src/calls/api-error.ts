/**
 * Turns responses of the API into values and errors. No other file creates an ApiError from a response.
 * In: an operation's answer. Out: its value, or an ApiError.
 */
import type { OperationId, Problem } from '@posrep/spec'
import { ApiError, type ApiErrorCode } from '../errors.ts'
import { toDetails } from '../request/response-details.ts'

export interface Answer {
  /** The parsed body of a success. */
  data?: unknown
  /** The body of every other response, parsed if it is JSON. */
  error?: unknown
  response: Response
}

/**
 * The value has the type that the document gives to the operation's success.
 *
 * @throws ApiError for every other response
 */
export function getValue<Value>(operation: OperationId, { data, error, response }: Answer, nowMs: number): Value {
  // Of these the document describes no body.
  const isEmpty = response.status === 202 || response.status === 204
  if (response.ok && (data !== undefined || isEmpty)) return data as Value // as the document says
  throw toApiError(operation, response, error, nowMs)
}

/** The code, and what to do. */
type Meaning = readonly [code: ApiErrorCode, advice: string]

const meanings: Record<number, Meaning> = {
  400: ['invalid_request', 'see "problem"'],
  401: ['unauthorized', 'sign in again'],
  403: ['forbidden', 'the token lacks the scope, or is of another kind'],
  404: ['not_found', 'not in this account'],
  409: ['conflict', 'change that first'],
  413: ['invalid_request', 'send less'],
  415: ['invalid_request', 'send JSON'],
  429: ['too_many_requests', 'try again later'],
}

function toApiError(operation: OperationId, response: Response, body: unknown, nowMs: number): ApiError {
  const { status } = response
  const problem = isProblem(body) ? body : undefined
  const [code, advice] = meanings[status] ?? toMeaning(status)
  const detailText = problem ? `: ${problem.detail ?? problem.title}` : ''
  // What stands in the way is in the problem's own code.
  const own = status === 409 && problem ? (problem.code as ApiErrorCode) : code
  return new ApiError(own, `${operation} was answered ${status || 'with a redirect'}${detailText}; ${advice}`, {
    ...toDetails(response, nowMs),
    problem,
  })
}

function toMeaning(status: number): Meaning {
  if (status >= 500) return ['unavailable', 'try again later']
  // Browsers report a redirect that was not followed as status 0.
  return ['unexpected_answer', 'check the origins']
}

/** The error of an answer that cannot be read; every other cause is returned as it is. */
export function toReadError(operation: OperationId, cause: unknown): unknown {
  if (cause instanceof SyntaxError) {
    const message = `${operation} was answered without JSON; check the origins`
    return new ApiError('unexpected_answer', message, { cause })
  }
  if (cause instanceof TypeError) {
    const message = `The response to ${operation} broke off; try again later`
    return new ApiError('unreachable', message, { cause })
  }
  return cause
}

function isProblem(body: unknown): body is Problem {
  return typeof (body as Partial<Problem> | null | undefined)?.code === 'string'
}
