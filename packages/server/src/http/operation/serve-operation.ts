/**
 * Runs an operation from the matched request to the answer, for the router and for the fast path.
 * In: a request and its operation. Out: the answer of the handler or of an error; it never throws.
 */
import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { OperationId } from '@posrep/spec'
import type { Principal, VerifyAccessToken } from '../../ports/principal.ts'
import type { BodyMemory } from '../body/read-body.ts'
import {
  type MendBodies,
  noBody,
  type ReadersInThread,
  type RequestBody,
  readRequestBody,
} from '../body/request-body.ts'
import { toConnection } from '../connection.ts'
import type { EventStream } from '../event-stream.ts'
import { toAccountKey } from '../shares.ts'
import { compileCheckAnswer } from '../validation/answer-validator.ts'
import type { CheckRequest, RequestParameters, RequestValidator } from '../validation/check-request.ts'
import type { AnswerError, WrittenAnswer } from './answer.ts'
import { authenticate } from './authenticate.ts'
import { JsonFile } from './json-file.ts'
import { JsonList } from './json-list.ts'
import { type DocumentedOperation, type OpenApiDocument, operationsOf } from './openapi-document.ts'
import type { Handler, Handlers, OperationRequest } from './operation.ts'
import { type Asked, toOperationRequest } from './operation-request.ts'
import { type RefusedBodies, unlimitedRefusals } from './refused-bodies.ts'

export interface ServeOptions {
  document: OpenApiDocument
  /** Operations without a handler are not served; a whole server has `Handlers`. */
  handlers: Partial<Handlers>
  createValidator: (
    document: OpenApiDocument,
    operations: readonly DocumentedOperation[],
  ) => RequestValidator | Promise<RequestValidator>
  verifyAccessToken: VerifyAccessToken
  /** Default: no body is mended. */
  mendBodies?: MendBodies
  /** Default: this thread reads every body. */
  readInThread?: ReadersInThread
  /** Default: the memory for bodies that the whole process shares. */
  bodyMemory?: BodyMemory
  /** Default: no limit. */
  refusedBodies?: RefusedBodies
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
  /** The path of the request's target, as it was matched. */
  path: string
  /** The caller's address, through trusted proxies only. */
  address: string
}

/**
 * `identity` checks these requests: RFC 6749 §4.1.2.1 defines how the authorization endpoint answers invalid ones, and
 * both answer with pages.
 */
const checkedByHandler = new Set<OperationId>(['authorize', 'signOut'])

const checkNothing: CheckRequest = ({ query }) => ({ path: {}, query })

/** Resolves when every operation can be served. */
export async function serveOperations({
  document,
  handlers,
  createValidator,
  ...options
}: ServeOptions): Promise<ServedOperation[]> {
  const served = operationsOf(document).filter(({ operationId }) => handlers[operationId])
  const checked = served.filter(({ operationId }) => !checkedByHandler.has(operationId))
  const checkOf = await createValidator(document, checked)
  return served.map((operation) => {
    const { operationId } = operation
    // The compiler does not know that the handler found by an operation id belongs to that operation.
    const handler = handlers[operationId] as Handler<OperationId>
    const checkRequest = checkedByHandler.has(operationId) ? checkNothing : checkOf(operation)
    return { ...operation, serve: createServe(document, operation, handler, checkRequest, options) }
  })
}

function createServe(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  handler: Handler<OperationId>,
  checkRequest: CheckRequest,
  {
    verifyAccessToken,
    mendBodies = {},
    readInThread = {},
    bodyMemory: memory,
    refusedBodies = unlimitedRefusals,
    answerError,
    onRefused = () => {},
    validateResponses = false,
  }: Omit<ServeOptions, 'document' | 'handlers' | 'createValidator'>,
): ServedOperation['serve'] {
  const { operationId, token, requestMedia } = operation
  const reading = { mend: mendBodies[operationId], readInThread: readInThread[operationId], memory }
  const checkAnswer = validateResponses ? compileCheckAnswer(document, operation) : undefined

  return async ({ request, requestId, path, address }) => {
    let body: RequestBody | undefined
    let principal: Principal | undefined
    let checkedBytes = 0
    try {
      const { headers, url = '' } = request
      const identify = async () => token && (await authenticate(headers.authorization, token, verifyAccessToken))
      principal = await identify()
      // An operation without a documented body reads none, even if the client sends one.
      const sender = { address, account: principal && accountOf(principal) }
      if (requestMedia !== undefined) {
        const { account } = sender
        if (account !== undefined) refusedBodies.check(account)
        body = await readRequestBody(request, requestMedia, sender, {
          ...reading,
          onRead: (bytes) => (checkedBytes = bytes),
          onReadAgain: (bytes) => account !== undefined && refusedBodies.count(account, bytes),
        })
      } else body = noBody
      const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
      const parameters = body.summary
        ? noParameters
        : await checkRequest({ path, query: parse(search.slice(1)), headers, body: body.value })
      checkedBytes = 0
      const pendingAnswer = handler(toRequest({ request, principal, body, parameters, search, address, identify }))
      // The answer waits for the disk. Release the parsed body now: a large report takes some 300 kB.
      body = undefined
      const answer: AnyAnswer = await pendingAnswer
      const written = { ...toWritten(operation, answer), taker: sender }
      return checkAnswer ? await checked(written, (whole) => checkAnswer(answer.status, whole ?? answer.body)) : written
    } catch (error) {
      const refusal = answerError(error, { operationId, body: body?.value, requestId })
      if (principal) {
        onRefused({ operationId, principal, refusal })
        if (checkedBytes > 0) refusedBodies.count(accountOf(principal), checkedBytes)
      }
      return refusal
    }
  }
}

/** Other threads read only bodies of operations without parameters. */
const noParameters: RequestParameters = { path: {}, query: {} }

/** A device token names its client instead of its account; the sensors of a client belong to one account. */
function accountOf(principal: Principal): string {
  return principal.kind === 'user' ? toAccountKey(principal.accountId) : `client ${principal.clientId}`
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
  const { value, sent, isMended = false, summary } = body
  // `checkRequest`, or the thread that made the summary, has checked that the request has the documented types.
  const asked = { ...parameters, body: value } as Asked<OperationId>
  const { headers } = request
  return toOperationRequest(asked, {
    ...(principal && { principal }),
    sent,
    isMended,
    summary,
    search,
    headers,
    address,
    connection: toConnection(request),
    checkToken: async () => void (await identify()),
  })
}

function toWritten({ responseMedia }: DocumentedOperation, { status, headers = {}, body }: AnyAnswer): WrittenAnswer {
  const media = responseMedia[status]
  if (body === undefined || media === undefined) return { status, headers, text: '' }
  if (body instanceof JsonFile) return { status, headers, media: `${media}; charset=utf-8`, text: '', file: body.bytes }
  if (body instanceof JsonList) return { status, headers, media: `${media}; charset=utf-8`, text: '', portions: body }
  if (isEventStream(media, body)) return { status, headers, text: '', events: body }
  const text = media.endsWith('json') ? JSON.stringify(body) : String(body)
  return { status, headers, media: `${media}; charset=utf-8`, text }
}

/** The type of the handler's answer says that a body of this media type is a stream. */
function isEventStream(media: string, body: unknown): body is EventStream {
  return media === 'text/event-stream' && body !== undefined
}

/**
 * Checks the whole body; of a stream the document describes no more than its media type. Portions are collected first,
 * and then sent one after the other as they were made.
 */
async function checked(written: WrittenAnswer, check: (whole: unknown) => void): Promise<WrittenAnswer> {
  if (written.events) return written
  if (written.file) check(JSON.parse(String(written.file)))
  else if (!written.portions) check(undefined)
  if (!written.portions) return written
  const made: string[] = []
  for await (const portion of written.portions.text()) made.push(portion)
  check(JSON.parse(made.join('')))
  return { ...written, portions: { text: () => toAsync(made), close: async () => {} } }
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items
}
