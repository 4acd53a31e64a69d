/** Gives every request an id and leaves one line about how it ended. */
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Logger } from '../ports/logger.ts'

export interface RequestLogOptions {
  logger: Logger
  /** @param seconds From the last byte of the headers to the end of the answer. */
  observe(operationId: string, status: number, seconds: number): void
}

export function requestLog({ logger, observe }: RequestLogOptions): RequestHandler {
  return (request, response, next) => {
    const startedAt = process.hrtime.bigint()
    const requestId = randomUUID()
    response.setHeader('X-Request-Id', requestId)
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9
      const operation = response.locals.operation?.operationId ?? 'none'
      observe(operation, response.statusCode, seconds)
      // The path alone: a query may carry a code or a name.
      const fields = {
        requestId,
        method: request.method,
        path: request.path.slice(0, 300),
        operation,
        status: response.statusCode,
      }
      logger.debug(
        { ...fields, ms: Math.round(seconds * 1e4) / 10 },
        response.writableFinished ? 'answered' : 'connection lost',
      )
    })
    next()
  }
}
