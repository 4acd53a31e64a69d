/**
 * Lets browser-only apps read answers (Fetch standard, "CORS protocol"): tokens and the API for the origins of registered
 * redirect URIs, public keys and metadata for every origin, nothing else. Never with credentials: tokens are in headers.
 * It runs before the router, as a preflight is not an operation.
 */
import type { OperationId } from '@posrep/spec'
import type { Request, RequestHandler, Response } from 'express'
import { type DocumentedOperation, type OpenApiDocument, operationsOf } from '../operation/openapi-document.ts'

export interface CorsOptions {
  document: OpenApiDocument
  /** Whether a registered application has this origin. */
  isAppOrigin(origin: string): Promise<boolean>
}

const forAnyone = new Set<OperationId>(['getJwks', 'getAuthorizationServerMetadata'])
const withoutToken = new Set<OperationId>(['issueToken', 'revokeToken'])

export function cors({ document, isAppOrigin }: CorsOptions): RequestHandler {
  const readable = operationsOf(document).filter(isReadable)

  return async (request, response, next) => {
    const { origin } = request.headers
    const operations = origin === undefined ? [] : readable.filter(({ path }) => path.test(request.path))
    if (origin === undefined || operations.length === 0) return next()
    await allow(response, origin, operations)
    if (!isPreflight(request)) return next()
    if (response.hasHeader('Access-Control-Allow-Origin')) {
      response.set({
        'Access-Control-Allow-Methods': operations.map(({ method }) => method).join(', '),
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, Last-Event-ID',
        'Access-Control-Max-Age': '600',
      })
    }
    response.status(204).end()
  }

  async function allow(response: Response, origin: string, operations: DocumentedOperation[]): Promise<void> {
    if (operations.every(({ operationId }) => forAnyone.has(operationId))) {
      response.set('Access-Control-Allow-Origin', '*')
      return
    }
    response.vary('Origin')
    if (!(await isAppOrigin(origin))) return
    response.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': 'Retry-After, WWW-Authenticate, X-Request-Id',
    })
  }
}

function isReadable({ operationId, token }: DocumentedOperation): boolean {
  return token !== undefined || withoutToken.has(operationId) || forAnyone.has(operationId)
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
