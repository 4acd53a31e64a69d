/**
 * The last stop of a request that failed.
 * In: what was thrown. Out: a problem, or the answer that the operation's own protocol has for it; never a stack.
 */
import type { OperationId } from '@posrep/spec'
import type { ErrorRequestHandler } from 'express'
import type { Logger } from '../ports/logger.ts'
import { internalProblem, toProblem } from './problem.ts'

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: object
}

/** Operations whose protocol has errors of its own, such as the token endpoint's. */
export type ErrorAnswers = Partial<Record<OperationId, (error: unknown, body: unknown) => ErrorAnswer>>

export function errorHandler({
  logger,
  errorAnswers,
}: {
  logger: Logger
  errorAnswers: ErrorAnswers
}): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error, request, response, _next) => {
    const { operation } = response.locals
    const own = operation && errorAnswers[operation.operationId]?.(error, request.body)
    const problem = toProblem(error, request.body)
    const status = own?.status ?? problem?.status ?? 500
    if (status >= 500) logger.error({ err: error, requestId: response.getHeader('X-Request-Id') }, 'request failed')
    if (response.headersSent) {
      response.destroy()
      return
    }
    if (own) {
      response.status(status).set(own.headers).type('application/json').send(JSON.stringify(own.body))
      return
    }
    response
      .status(status)
      .set(problem?.headers ?? {})
      .type('application/problem+json')
      .send(JSON.stringify(problem?.problem ?? internalProblem))
  }
}
