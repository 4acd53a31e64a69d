/**
 * Reads the body of a request in the format that its operation takes.
 * In: the request, and the media type of the operation's body in the OpenAPI document. Out: the parsed body.
 */
import type { IncomingMessage } from 'node:http'
import type { OperationId } from '@posrep/spec'
import type { Mend } from '../../ports/mend.ts'
import type { ReportSummary } from '../../ports/report-summary.ts'
import type { EntryText } from '../../ports/storage/entry-text.ts'
import type { Sharer } from '../shares.ts'
import { checkContentEncoding, checkContentType, isContentType } from './content-type.ts'
import { maxFormBytes, parseForm } from './form-body.ts'
import { maxBodyBytes, parseJson, withoutByteOrderMark } from './json-body.ts'
import { type BodyMemory, checkLength, readBody } from './read-body.ts'

export interface RequestBody {
  /** Undefined where there is no body. */
  value: unknown
  /** A JSON body as it was sent (`JsonBody`); empty for other bodies and for none. */
  sent: EntryText
  /** A lenient operation has corrected `value`, which therefore differs from `sent`. */
  isMended?: boolean
  /** Present when another thread has parsed and checked the body; then `value` is undefined. */
  summary?: ReportSummary
}

export const noBody: RequestBody = { value: undefined, sent: '' }

/** The lenient operations. */
export type MendBodies = { [operationId in OperationId]?: Mend }

/**
 * Reads and checks a large body in another thread. The thread gets a copy of the bytes.
 * Returns undefined when the caller must read the body itself: the body is small, the threads are busy, or the body is
 * not valid and the caller creates the error.
 */
export type ReadInThread = (bytes: Buffer) => Promise<ReportSummary | undefined> | undefined

/** The operations whose large bodies other threads read. */
export type ReadersInThread = { [operationId in OperationId]?: ReadInThread }

interface Format {
  maxBytes: number
  parse(bytes: Buffer): RequestBody
}

interface ReadOptions {
  mend: Mend | undefined
  readInThread: ReadInThread | undefined
  memory: BodyMemory | undefined
  /** Called with the bytes of a body that another thread has not accepted, before this thread reads it again. */
  onReadAgain?: (bytes: number) => void
  /** Called with the bytes of any other body, before this thread reads it. */
  onRead?: (bytes: number) => void
}

const formMedia = 'application/x-www-form-urlencoded'

const formats: Record<string, Format> = {
  'application/json': {
    maxBytes: maxBodyBytes,
    parse: (bytes) => (bytes.length === 0 ? noBody : parseJson(bytes)),
  },
  [formMedia]: {
    maxBytes: maxFormBytes,
    parse: (bytes) => ({ value: parseForm(bytes), sent: '' }),
  },
}

/** @throws ApiError */
export async function readRequestBody(
  request: IncomingMessage,
  media: string,
  sender: Sharer,
  { mend, readInThread, memory, onReadAgain, onRead }: ReadOptions,
): Promise<RequestBody> {
  const { headers } = request
  const format = formats[media]
  if (!format) throw new Error(`No parser for "${media}"`)
  checkLength(request, format.maxBytes)
  checkContentType(headers['content-type'], media)
  checkContentEncoding(headers['content-encoding'])
  const bytes = await readBody(request, format.maxBytes, sender, memory)
  const reading = readInThread?.(bytes)
  const summary = reading && (await reading)
  // With a summary, the body is stored as it was sent; so the thread makes none if a member name is repeated.
  if (summary) return { value: undefined, sent: withoutByteOrderMark(bytes), summary }
  const onParse = reading ? onReadAgain : onRead
  onParse?.(bytes.length)
  const body = format.parse(bytes)
  if (!mend) return body
  const { value, mended } = mend(body.value)
  return { ...body, value, isMended: mended.length > 0 }
}

/**
 * Reads the form of a page. Out: its fields; none if the body is not a form.
 * @throws ApiError
 */
export async function readForm(
  request: IncomingMessage,
  maxBytes: number,
  sender: Sharer,
): Promise<Record<string, unknown>> {
  const { headers } = request
  checkLength(request, maxBytes)
  if (!isContentType(headers['content-type'], formMedia)) return {}
  checkContentEncoding(headers['content-encoding'])
  return parseForm(await readBody(request, maxBytes, sender))
}
