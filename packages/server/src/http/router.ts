/**
 * Routes each request to its operation in the OpenAPI document, after the middlewares of Express.
 * In: the operations, ready to be served. Out: routes; a path or a method that the document lacks goes to the error
 * handler.
 */
import type { IRouter } from 'express'
import { ApiError } from '../errors.ts'
import { writeAnswer } from './operation/answer.ts'
import type { DocumentedOperation } from './operation/openapi-document.ts'
import type { ServedOperation } from './operation/serve-operation.ts'

declare global {
  namespace Express {
    interface Locals {
      operation?: DocumentedOperation
    }
  }
}

export function mountOperations(app: IRouter, operations: ServedOperation[]): void {
  app.use(async (request, response) => {
    // HEAD is GET without the body (RFC 9110 §9.3.2), which Node omits.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const candidates = operations.filter(({ path }) => path.test(request.path))
    const operation = candidates.find((candidate) => candidate.method === method)
    // Also set for a wrong method, because the operation's protocol may define its own errors (`ErrorAnswers`).
    response.locals.operation = operation ?? candidates[0]
    if (!operation) throw refusal(candidates)
    const requestId = String(response.getHeader('X-Request-Id') ?? '')
    const { path, ip: address = '' } = request
    await writeAnswer(response, await operation.serve({ request, requestId, path, address }))
  })
}

/** The path does not exist, or does not take this method. */
function refusal(candidates: DocumentedOperation[]): ApiError {
  if (candidates.length === 0) return new ApiError('not_found', 'This path does not exist')
  const allow = candidates.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')
  return new ApiError('method_not_allowed', `This path takes ${allow}`, { headers: { Allow: allow } })
}
