/**
 * The document is the router: every request is matched to its operation, authenticated, parsed, validated, answered.
 * In: the document and one handler per operation. Out: routes; errors go on to the error handler.
 */
import type { OperationId } from '@posrep/spec'
import type { IRouter, Request, RequestHandler, Response } from 'express'
import { middleware as openApiValidator } from 'express-openapi-validator'
import { ApiError } from '../errors.ts'
import type { EntryText } from '../ports/entry-text.ts'
import type { Principal, VerifyAccessToken } from '../ports/principal.ts'
import { authenticate } from './authenticate.ts'
import { type DocumentedOperation, type OpenApiDocument, operationsOf } from './document.ts'
import type { Handler, Handlers, OperationRequest } from './operation.ts'
import { type MendBodies, readRequestBody } from './request-body.ts'

export interface RouterOptions {
  document: OpenApiDocument
  /** Operations without one are not there; a whole server has `Handlers`. */
  handlers: Partial<Handlers>
  verifyAccessToken: VerifyAccessToken
  /** Default: none is. */
  mendBodies?: MendBodies
  /** Also check our own answers against the document; for tests and development. */
  validateResponses?: boolean
}

declare global {
  namespace Express {
    interface Locals {
      operation?: DocumentedOperation
      principal?: Principal
      sent?: EntryText
      isMended?: boolean
    }
    interface Request {
      /** What express-openapi-validator found. */
      openapi?: { pathParams: Record<string, string> }
    }
  }
}

/** The authorization endpoint has rules of its own for broken requests (RFC 6749 §4.1.2.1); its room applies them. */
const validatedByItsRoom = new Set<OperationId>(['authorize'])

export function mountOperations(
  app: IRouter,
  { document, handlers, verifyAccessToken, mendBodies = {}, validateResponses = false }: RouterOptions,
): void {
  const operations = operationsOf(document).filter(({ operationId }) => operationId in handlers)

  app.use((request, response, next) => {
    // HEAD is GET without the body (RFC 9110 §9.3.2), which node leaves out by itself.
    if (request.method === 'HEAD') request.method = 'GET'
    const candidates = operations.filter(({ path }) => path.test(request.path))
    const operation = candidates.find(({ method }) => method === request.method)
    // Also where the method is wrong: its protocol may have errors of its own.
    response.locals.operation = operation ?? candidates[0]
    if (!operation) throw refusal(candidates)
    next()
  })
  app.use(async (request, response, next) => {
    const token = response.locals.operation?.token
    if (token) response.locals.principal = await authenticate(request.headers.authorization, token, verifyAccessToken)
    next()
  })
  app.use(async (request, response, next) => {
    const { requestMedia: media, operationId } = response.locals.operation ?? {}
    if (media === undefined) {
      // Nothing reads a body here, whatever it says it is.
      delete request.headers['content-type']
    } else {
      const {
        value,
        sent,
        isMended = false,
      } = await readRequestBody(request, media, operationId && mendBodies[operationId])
      request.body = value
      response.locals.sent = sent
      response.locals.isMended = isMended
    }
    next()
  })
  const validators = openApiValidator({
    // The document's type is its literal shape; the validator asks for the general one.
    apiSpec: document as unknown as Parameters<typeof openApiValidator>[0]['apiSpec'],
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: { allowUnknownQueryParameters: true },
    validateResponses,
    ajvFormats: { mode: 'full' },
    fileUploader: false,
    ignorePaths: (path: string) =>
      operations.some((operation) => validatedByItsRoom.has(operation.operationId) && operation.path.test(path)),
  })
  app.use(...(validators as RequestHandler[]))
  app.use(async (request, response) => answer(request, response, handlers))
}

/** There is nothing at the path, or nothing of this method. */
function refusal(candidates: DocumentedOperation[]): ApiError {
  if (candidates.length === 0) return new ApiError('not_found', 'There is nothing at this path')
  const allow = candidates.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')
  return new ApiError('method_not_allowed', `This path takes ${allow}`, { headers: { Allow: allow } })
}

async function answer(request: Request, response: Response, handlers: Partial<Handlers>): Promise<void> {
  const { operation, principal } = response.locals
  if (!operation) throw new Error('No operation was matched')
  const { operationId, responseMedia } = operation
  // The table has the handler of this very operation, and the validator has checked what it gets.
  const handler = handlers[operationId] as Handler<OperationId>
  const {
    status,
    headers = {},
    body,
  } = await handler({
    path: request.openapi?.pathParams ?? {},
    query: request.query,
    body: request.body,
    sent: response.locals.sent ?? '',
    isMended: response.locals.isMended ?? false,
    ...(principal && { principal }),
    search: request.originalUrl.includes('?') ? request.originalUrl.slice(request.originalUrl.indexOf('?')) : '',
    headers: request.headers,
    address: request.ip ?? '',
  } as unknown as OperationRequest<OperationId>)
  response.status(status).set(headers)
  const media = responseMedia[status]
  if (body === undefined || media === undefined) response.end()
  // The validator of answers sees what goes through `json`.
  else if (media.endsWith('json')) response.type(media).json(body)
  else response.type(media).send(body)
}
