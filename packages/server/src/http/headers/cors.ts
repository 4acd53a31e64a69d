/**
 * Lets browser-only apps read answers (Fetch standard, "CORS protocol"): tokens and the API for the origins of
 * registered applications, public keys and metadata for every origin, nothing else. Never with credentials: tokens are
 * in headers. It runs before the router, as a preflight is not an operation, and before everything that may refuse a
 * request, so that an app can read why. See docs/decisions/0084-what-browsers-may-send-and-read.md.
 */
import type { OperationId } from '@posrep/spec'
import type { Request, RequestHandler, Response } from 'express'
import { type DocumentedOperation, type OpenApiDocument, operationsOf } from '../operation/openapi-document.ts'

export interface CorsOptions {
  document: OpenApiDocument
  /** Whether a registered application has this origin. */
  isAppOrigin(origin: string): Promise<boolean>
}

const forAnyone = new Set<OperationId>(['getJwks', 'getAuthorizationServerMetadata', 'getOpenApiDocument'])
const withoutToken = new Set<OperationId>(['issueToken', 'revokeToken'])

/** Every method, so that an app can read the answer to a wrong one. */
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** The headers that the API reads. */
const usualHeaders = ['Authorization', 'Content-Type', 'Last-Event-ID']
/** What our answers have beside what every app can read. */
const exposedHeaders = 'Allow, Deprecation, Location, Retry-After, Sunset, WWW-Authenticate, X-Request-Id'
/** A longer list is not read. */
const maxRequestedLength = 1_024

export function cors({ document, isAppOrigin }: CorsOptions): RequestHandler {
  const operations = operationsOf(document)

  return async (request, response, next) => {
    const { origin } = request.headers
    const asked = operations.filter(({ path }) => path.test(request.path))
    const readable = asked.filter(isReadable)
    // The answer that such a path does not exist is for apps, too.
    const isUnknownPath = asked.length === 0 && request.path.startsWith('/v1/')
    if (readable.length === 0 && !isUnknownPath) return next()
    await allow(response, origin, readable)
    if (origin === undefined || !isPreflight(request)) return next()
    if (response.hasHeader('Access-Control-Allow-Origin')) {
      response.set({
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': toAllowedHeaders(request.headers['access-control-request-headers']),
        'Access-Control-Max-Age': '600',
      })
      response.vary('Access-Control-Request-Headers')
    }
    response.set('Cache-Control', 'no-store').status(204).end()
  }

  /**
   * What caches keep must not depend on whether the request came from another origin, or must name `Origin` in `Vary`.
   */
  async function allow(response: Response, origin: string | undefined, readable: DocumentedOperation[]): Promise<void> {
    if (readable.length > 0 && readable.every(({ operationId }) => forAnyone.has(operationId))) {
      response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposedHeaders })
      return
    }
    response.vary('Origin')
    if (origin === undefined || !(await isAppOrigin(origin))) return
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders })
  }
}

/**
 * An app may send every header that browsers let it send: tracing libraries, viewers and proxies add their own. None of
 * them grants anything here except `Authorization`, and cookies are never among them.
 */
function toAllowedHeaders(requested = ''): string {
  const known = new Set(usualHeaders.map((name) => name.toLowerCase()))
  const names = requested.length > maxRequestedLength ? [] : requested.toLowerCase().split(',')
  const others = names.map((name) => name.trim()).filter((name) => isToken(name) && !known.has(name))
  return [...usualHeaders, ...new Set(others)].join(', ')
}

/** RFC 9110 §5.6.2 */
function isToken(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)
}

function isReadable({ operationId, token }: DocumentedOperation): boolean {
  return token !== undefined || withoutToken.has(operationId) || forAnyone.has(operationId)
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
