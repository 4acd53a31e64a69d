/**
 * The hot lane: the few operations that most requests are for, on node:http, in front of Express. It applies the rules of
 * the router (ARCHITECTURE.md, "The document is the router") in their order, by the same functions.
 * In: a request for exactly one of its paths, as no browser sends it. Out: its answer; any other request goes to Express.
 * See docs/decisions/0023-hot-lane.md.
 */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { OperationId } from '@posrep/spec'
import type { EntryText } from '../ports/entry-text.ts'
import type { Principal, VerifyAccessToken } from '../ports/principal.ts'
import type { ReportDigest } from '../ports/report-digest.ts'
import { type WrittenAnswer, writeAnswer } from './answer.ts'
import { authenticate } from './authenticate.ts'
import { type CheckBody, compileCheckAnswer, compileCheckBody } from './body-validator.ts'
import { type DocumentedOperation, type OpenApiDocument, operationsOf } from './document.ts'
import type { AnswerError } from './error-handler.ts'
import { checkRequest } from './guard.ts'
import { withoutByteOrderMark } from './json-body.ts'
import type { Answer, Handler, Handlers, OperationRequest } from './operation.ts'
import {
  type MendBodies,
  type MendBody,
  parseBody,
  type ReceivedBody,
  type RequestBody,
  receiveBody,
} from './request-body.ts'
import type { WatchRequest } from './request-log.ts'

/**
 * Reads a large body in another thread, by the same checks. The bytes stay the caller's.
 * Out: what the operation has to know of it. Undefined for what is to be read here: it is small, no thread has its hands
 * free, or it is not in order and the caller finds out what to answer.
 */
export type ReadElsewhere = (bytes: Buffer) => Promise<ReportDigest | undefined> | undefined

export interface LaneOptions {
  document: OpenApiDocument
  operationIds: OperationId[]
  /** Operations without one are not in the lane. */
  handlers: Partial<Handlers>
  verifyAccessToken: VerifyAccessToken
  /** As the router's. */
  mendBodies?: MendBodies
  /** Default: all bodies are read here. */
  readElsewhere?: { [operationId in OperationId]?: ReadElsewhere }
  watch: WatchRequest
  answerError: AnswerError
  /** Of every answer. */
  headers: [name: string, value: string][]
  /** The caller's address, through trusted proxies only. */
  addressOf(request: IncomingMessage): string
  /** Takes what is not for the lane. */
  otherwise: RequestListener
  /** Also check our own answers against the document; for tests and development. */
  validateResponses: boolean
}

interface LaneOperation extends DocumentedOperation {
  media: string
  checkBody: CheckBody
  checkAnswer: (status: number, body: unknown) => void
}

export function createLane(options: LaneOptions): RequestListener {
  const { document, operationIds, handlers, verifyAccessToken, watch, answerError, headers, addressOf } = options
  const { mendBodies = {}, readElsewhere = {} } = options
  const operations = operationsOf(document)
    .filter(({ operationId }) => operationIds.includes(operationId) && operationId in handlers)
    .map((operation) => toLaneOperation(document, operation, options.validateResponses))
  const always = headers.flat()

  function findOperation({ method, url, headers: { origin } }: IncomingMessage): LaneOperation | undefined {
    // Answers to pages of other origins have more headers (`http/cors.ts`).
    if (origin !== undefined) return undefined
    // `compileCheckBody` has seen to it that there are no parameters, in the path or behind it.
    for (const operation of operations) if (operation.template === url && operation.method === method) return operation
    return undefined
  }

  async function serve(request: IncomingMessage, response: ServerResponse, operation: LaneOperation): Promise<void> {
    let matched: OperationId | undefined
    let body: RequestBody | undefined
    const requestId = watch(request, response, () => matched)
    let answer: WrittenAnswer
    try {
      checkRequest(request)
      matched = operation.operationId
      const { token } = operation
      const principal = token && (await authenticate(request.headers.authorization, token, verifyAccessToken))
      const received = await receiveBody(request, operation.media)
      const reading = readElsewhere[matched]?.(received.bytes)
      const digest = reading && (await reading)
      const mend = mendBodies[matched]
      if (digest === undefined) {
        body = parseBody(received, mend)
        operation.checkBody(body.value)
      }
      const answering = handle(
        operation,
        new LaneRequest({ request, principal, received, mend, body, digest, addressOf }),
      )
      // The answer waits for the disk; what was parsed, some hundred kB for a large report, does not wait with it.
      body = undefined
      answer = toWritten(operation, await answering)
    } catch (error) {
      answer = answerError(error, { operationId: matched, body: body?.value, requestId })
    }
    writeAnswer(response, answer, ['X-Request-Id', requestId, ...always])
  }

  function handle({ operationId }: LaneOperation, request: LaneRequest): Promise<Answer<OperationId>> {
    // The table has the handler of this very operation, and the body that it gets was checked.
    const handler = handlers[operationId] as Handler<OperationId>
    return handler(request as unknown as OperationRequest<OperationId>)
  }

  function toWritten({ responseMedia, checkAnswer }: LaneOperation, answer: Answer<OperationId>): WrittenAnswer {
    const { status, headers = {}, body } = answer
    checkAnswer(status, body)
    const media = responseMedia[status]
    return body === undefined || media === undefined
      ? { status, headers, text: '' }
      : { status, headers, media: `${media}; charset=utf-8`, text: JSON.stringify(body) }
  }

  /** An answer that cannot be written is a mistake of ours: it is logged, and the process goes on. */
  function giveUp(error: unknown, response: ServerResponse): void {
    answerError(error, { operationId: undefined, body: undefined, requestId: '' })
    response.destroy()
  }

  return (request, response) => {
    const operation = findOperation(request)
    if (operation) serve(request, response, operation).catch((error) => giveUp(error, response))
    else options.otherwise(request, response)
  }
}

interface Asked {
  request: IncomingMessage
  principal: Principal | undefined
  received: ReceivedBody
  mend: MendBody | undefined
  /** Undefined where it was read elsewhere. */
  body: RequestBody | undefined
  digest: ReportDigest | undefined
  addressOf(request: IncomingMessage): string
}

/**
 * What an operation of the lane is asked. A class, because some of it is made when it is asked for: a getter of an object's
 * own is noted in V8's maps of objects, which keep all that it sees until the whole heap is collected.
 */
class LaneRequest {
  readonly path = {}
  readonly query = {}
  readonly search = ''
  readonly digest: ReportDigest | undefined
  readonly principal: Principal | undefined
  readonly headers: IncomingHttpHeaders
  readonly #asked: Asked

  constructor(asked: Asked) {
    this.digest = asked.digest
    this.principal = asked.principal
    this.headers = asked.request.headers
    this.#asked = asked
  }

  get body(): unknown {
    return this.#read().value
  }

  get sent(): EntryText {
    // Whoever has read it elsewhere has taken it word for word.
    return this.digest === undefined ? this.#read().sent : withoutByteOrderMark(this.#asked.received.bytes)
  }

  get isMended(): boolean {
    return this.#read().isMended ?? false
  }

  get address(): string {
    return this.#asked.addressOf(this.#asked.request)
  }

  #read(): RequestBody {
    return (this.#asked.body ??= parseBody(this.#asked.received, this.#asked.mend))
  }
}

function toLaneOperation(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  validateResponses: boolean,
): LaneOperation {
  const { operationId, requestMedia } = operation
  if (requestMedia === undefined) throw new Error(`"${operationId}" has no body, which the hot lane is for`)
  return {
    ...operation,
    media: requestMedia,
    checkBody: compileCheckBody(document, operation),
    checkAnswer: validateResponses ? compileCheckAnswer(document, operation) : () => {},
  }
}
