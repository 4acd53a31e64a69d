/**
 * Turns the error of a failed request into its answer.
 * In: what was thrown. Out: a problem, or the error of the operation's own protocol; never a stack.
 */
import type { ServerResponse } from 'node:http'
import type { OperationId } from '@posrep/spec'
import type { ErrorRequestHandler } from 'express'
import type { Logger } from '../../ports/logger.ts'
import { type AnswerError, type WrittenAnswer, writeAnswer } from '../operation/answer.ts'
import { toProblem } from './problem.ts'

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: object
}

/** For operations whose protocol has its own errors, such as the token endpoint. */
export type ErrorAnswers = Partial<Record<OperationId, (error: unknown, body: unknown) => ErrorAnswer>>

/**
 * Statuses from 500 on that a request causes by what it asks for: no error of the server, and no reason to fill its
 * log.
 */
const askedFor = new Set([501, 505])

function isFault(status: number): boolean {
  return status >= 500 && !askedFor.has(status)
}

/** Also logs errors of the server. */
export function createAnswerError({
  logger,
  errorAnswers,
}: {
  logger: Logger
  errorAnswers: ErrorAnswers
}): AnswerError {
  return (error, { operationId, body, requestId }) => {
    const answer = toErrorAnswer(error, operationId && errorAnswers[operationId], body)
    if (isFault(answer.status)) logger.error({ err: error, requestId }, 'request failed')
    return answer
  }
}

function toErrorAnswer(error: unknown, toOwnAnswer: ErrorAnswers[OperationId], body: unknown): WrittenAnswer {
  const own = toOwnAnswer?.(error, body)
  if (own) {
    const { status, headers } = own
    return { status, headers, media: 'application/json; charset=utf-8', text: JSON.stringify(own.body) }
  }
  const { status, headers, problem } = toProblem(error, body)
  return { status, headers, media: 'application/problem+json; charset=utf-8', text: JSON.stringify(problem) }
}

/** The same as the error handler of Express. */
export function errorHandler(answerError: AnswerError): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error, _request, response, _next) => {
    const answer = answerError(error, {
      operationId: response.locals.operation?.operationId,
      body: undefined,
      requestId: requestIdOf(response),
    })
    if (response.headersSent) {
      response.destroy()
      return
    }
    writeAnswer(response, answer)
  }
}

export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader('X-Request-Id') ?? '')
}
