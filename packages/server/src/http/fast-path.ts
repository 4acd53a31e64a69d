/**
 * The fast path: serves the most frequent operations on node:http, without the middlewares of Express.
 * In: a request. Out: its answer, if it has exactly the path of such an operation and no Origin header. Every other
 * request goes to Express. See docs/decisions/0023-fast-path.md.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { checkRequest } from './guard.ts'
import { type AnswerError, writeAnswer } from './operation/answer.ts'
import type { ServedOperation } from './operation/serve-operation.ts'
import type { WatchRequest } from './request-log.ts'

export interface FastPathOptions {
  operations: ServedOperation[]
  watch: WatchRequest
  answerError: AnswerError
  /** Headers of every answer. */
  headers: [name: string, value: string][]
  /** The caller's address, through trusted proxies only. */
  addressOf(request: IncomingMessage): string
  /** Serves every other request. */
  otherwise: RequestListener
}

export function createFastPath(options: FastPathOptions): RequestListener {
  const { operations, watch, answerError, addressOf, otherwise } = options
  const headers = options.headers.flat()

  function findOperation({ method, url, headers: { origin } }: IncomingMessage): ServedOperation | undefined {
    // A page of another origin sent it, so the answer needs CORS headers (`http/headers/cors.ts`).
    if (origin !== undefined) return undefined
    for (const operation of operations) if (operation.template === url && operation.method === method) return operation
    return undefined
  }

  async function serve(request: IncomingMessage, response: ServerResponse, operation: ServedOperation): Promise<void> {
    const { operationId } = operation
    let matched: string | undefined
    const requestId = watch(request, response, () => matched)
    const always = ['X-Request-Id', requestId, ...headers]
    try {
      checkRequest(request)
    } catch (error) {
      return writeAnswer(response, answerError(error, { operationId: undefined, body: undefined, requestId }), always)
    }
    matched = operationId
    const call = { request, requestId, path: operation.template, address: addressOf(request) }
    await writeAnswer(response, await operation.serve(call), always)
  }

  return (request, response) => {
    const operation = findOperation(request)
    if (!operation) return otherwise(request, response)
    serve(request, response, operation).catch((error) => {
      // The answer could not be written: log the error and close the connection.
      answerError(error, { operationId: undefined, body: undefined, requestId: '' })
      response.destroy()
    })
  }
}
