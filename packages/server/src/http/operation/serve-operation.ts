/**
 * Runs an operation from the matched request to the answer, for the router and for the fast path.
 * In: a request and its operation. Out: the answer of the handler or of an error; it never throws.
 */
import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { OperationId } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { Principal, VerifyAccessToken } from '../../ports/principal.ts'
import type { BodyMemory } from '../body/read-body.ts'
import {
  type MendBodies,
  noBody,
  type ReadersElsewhere,
  type RequestBody,
  readRequestBody,
} from '../body/request-body.ts'
import { toConnection } from '../connection.ts'
import type { EventStream } from '../event-stream.ts'
import type { AnswerError, WrittenAnswer } from './answer.ts'
import { authenticate } from './authenticate.ts'
import { JsonList } from './json-list.ts'
import { type DocumentedOperation, type OpenApiDocument, operationsOf } from './openapi-document.ts'
import type { Handler, Handlers, OperationRequest } from './operation.ts'
import { type Asked, toOperationRequest } from './operation-request.ts'
import { compileCheckAnswer, compileCheckRequest, type RequestParameters } from './request-validator.ts'

export interface ServeOptions {
  document: OpenApiDocument
  /** Operations without a handler are not served; a whole server has `Handlers`. */
  handlers: Partial<Handlers>
  verifyAccessToken: VerifyAccessToken
  /** Default: no body is mended. */
  mendBodies?: MendBodies
  /** Default: this thread reads every body. */
  readElsewhere?: ReadersElsewhere
  /** Default: the memory for bodies that the whole process shares. */
  bodyMemory?: BodyMemory
  answerError: AnswerError
  /** Called for an authenticated request that was answered with an error. Default: ignored. */
  onRefused?: (refusal: Refusal) => void
  /** Also check our own answers against the document; for tests and development. */
  validateResponses?: boolean
}

export interface Refusal {
  operationId: OperationId
  principal: Principal
  refusal: WrittenAnswer
}

export interface ServedOperation extends DocumentedOperation {
  serve(call: Call): Promise<WrittenAnswer>
}

/** The common type of all answers of the document. */
interface AnyAnswer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

export interface Call {
  request: IncomingMessage
  requestId: string
  /** The caller's address, through trusted proxies only. */
  address: string
}

/** `identity` checks these requests, because RFC 6749 §4.1.2.1 defines how the authorization endpoint answers invalid ones. */
const checkedByHandler = new Set<OperationId>(['authorize'])

export function serveOperations({ document, handlers, ...options }: ServeOptions): ServedOperation[] {
  return operationsOf(document).flatMap((operation) => {
    // The compiler does not know that the handler found by an operation id belongs to that operation.
    const handler = handlers[operation.operationId] as Handler<OperationId> | undefined
    return handler ? [{ ...operation, serve: createServe(document, operation, handler, options) }] : []
  })
}

function createServe(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  handler: Handler<OperationId>,
  {
    verifyAccessToken,
    mendBodies = {},
    readElsewhere = {},
    bodyMemory: memory,
    answerError,
    onRefused = () => {},
    validateResponses = false,
  }: Omit<ServeOptions, 'document' | 'handlers'>,
): ServedOperation['serve'] {
  const { operationId, token, requestMedia } = operation
  const reading = { mend: mendBodies[operationId], readElsewhere: readElsewhere[operationId], memory }
  const checkRequest = checkedByHandler.has(operationId) ? () => {} : compileCheckRequest(document, operation)
  const checkAnswer = validateResponses ? compileCheckAnswer(document, operation) : undefined

  return async ({ request, requestId, address }) => {
    let body: RequestBody | undefined
    let principal: Principal | undefined
    try {
      const { headers, url = '' } = request
      const identify = async () => token && (await authenticate(headers.authorization, token, verifyAccessToken))
      principal = await identify()
      // An operation without a documented body reads none, even if the client sends one.
      const sender = { address, account: principal && accountOf(principal) }
      body = requestMedia === undefined ? noBody : await readRequestBody(request, requestMedia, sender, reading)
      const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
      const parameters = { query: parse(search.slice(1)), params: readPath(operation, url) }
      if (!body.digest) checkRequest(parameters, body.value)
      const pendingAnswer = handler(toRequest({ request, principal, body, parameters, search, address, identify }))
      // The answer waits for the disk. Release the parsed body now: a large report takes some 300 kB.
      body = undefined
      const answer: AnyAnswer = await pendingAnswer
      const written = toWritten(operation, answer)
      return checkAnswer ? await checked(written, (whole) => checkAnswer(answer.status, whole ?? answer.body)) : written
    } catch (error) {
      const refusal = answerError(error, { operationId, body: body?.value, requestId })
      if (principal) onRefused({ operationId, principal, refusal })
      return refusal
    }
  }
}

/** A device token names its client instead of its account; the sensors of a client belong to one account. */
function accountOf(principal: Principal): string {
  return principal.kind === 'user' ? `account ${principal.accountId}` : `client ${principal.clientId}`
}

interface Checked extends Pick<Call, 'request' | 'address'> {
  principal: Principal | undefined
  body: RequestBody
  parameters: RequestParameters
  search: string
  identify(): Promise<Principal | undefined>
}

function toRequest({
  request,
  principal,
  body,
  parameters,
  search,
  address,
  identify,
}: Checked): OperationRequest<OperationId> {
  const { value, sent, isMended = false, digest } = body
  // `checkRequest`, or the thread that made the digest, has checked that the request has the documented types.
  const asked = { path: parameters.params, query: parameters.query, body: value } as Asked<OperationId>
  const { headers } = request
  return toOperationRequest(asked, {
    ...(principal && { principal }),
    sent,
    isMended,
    digest,
    search,
    headers,
    address,
    connection: toConnection(request),
    checkToken: async () => void (await identify()),
  })
}

function readPath({ path }: DocumentedOperation, url: string): Record<string, unknown> {
  const { groups = {} } = path.exec(url.replace(/\?.*/s, '')) ?? {}
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, sent]) => [name, decodeURIComponent(sent)]))
  } catch (cause) {
    const error = { pointer: '/path', code: 'encoding', detail: 'is not valid percent-encoding' }
    throw new ApiError('invalid_request', `"${error.pointer}" ${error.detail}`, { errors: [error], cause })
  }
}

function toWritten({ responseMedia }: DocumentedOperation, { status, headers = {}, body }: AnyAnswer): WrittenAnswer {
  const media = responseMedia[status]
  if (body === undefined || media === undefined) return { status, headers, text: '' }
  if (body instanceof JsonList) return { status, headers, media: `${media}; charset=utf-8`, text: '', portions: body }
  if (isEventStream(media, body)) return { status, headers, text: '', events: body }
  const text = media.endsWith('json') ? JSON.stringify(body) : String(body)
  return { status, headers, media: `${media}; charset=utf-8`, text }
}

/** The type of the handler's answer says that a body of this media type is a stream. */
function isEventStream(media: string, body: unknown): body is EventStream {
  return media === 'text/event-stream' && body !== undefined
}

/** Checks the whole body; of a stream the document describes no more than its media type. Portions are collected first, and then sent one after the other as they were made. */
async function checked(written: WrittenAnswer, check: (whole: unknown) => void): Promise<WrittenAnswer> {
  if (written.events) return written
  if (!written.portions) {
    check(undefined)
    return written
  }
  const made: string[] = []
  for await (const portion of written.portions.text()) made.push(portion)
  check(JSON.parse(made.join('')))
  return { ...written, portions: { text: () => toAsync(made), close: async () => {} } }
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items
}
