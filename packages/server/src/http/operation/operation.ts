/**
 * The shape of an operation's handler, read off the document.
 * In: parameters, body and principal, already checked against the document. Out: a documented status and its body.
 * Refusals are thrown as ApiError; `http/errors/problem.ts` answers them.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { OperationId, operations } from '@posrep/spec'
import type { OperationInPortions } from '@posrep/spec/operations'
import type { Principal } from '../../ports/principal.ts'
import type { ReportSummary } from '../../ports/report-summary.ts'
import type { EntryText } from '../../ports/storage/entry-text.ts'
import type { Connection } from '../connection.ts'
import type { EventStream } from '../event-stream.ts'
import type { JsonFile } from './json-file.ts'
import type { JsonList } from './json-list.ts'

type Responses<K extends OperationId> = operations[K]['responses']

/** Operations whose answer is always the same. */
type AsFile = 'getOpenApiDocument'

/** The only other bodies are those of errors, which no handler answers. */
type Made<K extends OperationId, B> = K extends OperationInPortions
  ? B extends { title: string }
    ? B
    : JsonList<B>
  : K extends AsFile
    ? JsonFile<B>
    : B

/** Server-sent events are the only texts of this media type. */
type BodyOf<R> = R extends { content: { 'text/event-stream': unknown } }
  ? EventStream
  : R extends { content: infer C }
    ? C[keyof C]
    : undefined

/** One of the answers that the document has for the operation. */
export type Answer<K extends OperationId> = {
  [S in keyof Responses<K> & number]: BodyOf<Responses<K>[S]> extends undefined
    ? { status: S; body?: undefined; headers?: Record<string, string> }
    : { status: S; body: Made<K, BodyOf<Responses<K>[S]>>; headers?: Record<string, string> }
}[keyof Responses<K> & number]

type RequestBody<K extends OperationId> = operations[K] extends { requestBody?: { content: infer C } }
  ? C[keyof C]
  : undefined
type Parameters<K extends OperationId, In extends 'path' | 'query'> = NonNullable<operations[K]['parameters'][In]>

export interface OperationRequest<K extends OperationId> {
  path: Parameters<K, 'path'>
  query: Parameters<K, 'query'>
  body: RequestBody<K>
  /** A JSON body as it was sent (`JsonBody`). Empty for other bodies and for none. */
  sent: EntryText
  /** `body` has corrections, so it differs from `sent`. */
  isMended?: boolean
  /** Made by another thread, if one has read and checked the body; then `body` is undefined. */
  summary?: ReportSummary | undefined
  /** Present where the document asks for a token. */
  principal?: Principal
  /**
   * Checks the token again, for an answer that goes on. @throws ApiError as at the start: the token has ended or was
   * revoked
   */
  checkToken(): Promise<void>
  /** As it was sent, for operations whose protocol has rules about repeated or raw parameters. */
  search: string
  headers: IncomingHttpHeaders
  /** The caller's address, through trusted proxies only. */
  address: string
  connection: Connection
}

export type Handler<K extends OperationId> = (request: OperationRequest<K>) => Promise<Answer<K>>

/** One handler per operation of the document; a missing one does not compile. */
export type Handlers = { [K in OperationId]: Handler<K> }
