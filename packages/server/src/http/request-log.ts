/** Assigns an id to every request. When the request ends, logs it and measures its duration. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import type { Logger } from '../ports/logger.ts'
import { findTraceId } from './headers/traceparent.ts'

export interface RequestLogOptions {
  logger: Logger
  /** @param seconds From the end of the request's headers to the end of the answer. */
  observe(operationId: string, status: number, seconds: number): void
}

/**
 * Returns the id of the request, which its answer carries as `X-Request-Id`.
 * @param operationOf Called at the end; returns the operation that the request was matched to, if any.
 */
export type WatchRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  operationOf: () => string | undefined,
) => string

export function createWatchRequest({ logger, observe }: RequestLogOptions): WatchRequest {
  return (request, response, operationOf) => {
    const startedAtMs = performance.now()
    const requestId = randomUUID()
    const { method, url = '', headers } = request
    response.once('close', () => {
      const ms = performance.now() - startedAtMs
      const operation = operationOf() ?? 'none'
      observe(operation, response.statusCode, ms / 1e3)
      const traceId = findTraceId(headers.traceparent)
      logger.debug(
        {
          requestId,
          ...(traceId !== undefined && { traceId }),
          method,
          path: pathOf(url),
          operation,
          status: response.statusCode,
          ms: Math.round(ms * 10) / 10,
        },
        response.writableFinished ? 'answered' : 'connection lost',
      )
    })
    return requestId
  }
}

/** The same as Express middleware. */
export function requestLog(watch: WatchRequest): RequestHandler {
  return (request, response, next) => {
    const requestId = watch(request, response, () => response.locals.operation?.operationId)
    response.setHeader('X-Request-Id', requestId)
    next()
  }
}

/** Returns the URL without its query, which may contain an authorization code or a name. */
function pathOf(url: string): string {
  const query = url.indexOf('?')
  return (query === -1 ? url : url.slice(0, query)).slice(0, 300)
}
