/**
 * Reads the body of a request in the format that its operation takes.
 * In: the request, and the media type of the operation's body in the OpenAPI document. Out: the parsed body.
 */
import type { IncomingMessage } from 'node:http'
import type { OperationId } from '@posrep/spec'
import type { ReportDigest } from '../../ports/report-digest.ts'
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
  digest?: ReportDigest
}

export const noBody: RequestBody = { value: undefined, sent: '' }

/** Corrects known mistakes in a body of a lenient operation. Pure; a valid body is returned unchanged. */
export type MendBody = (value: unknown) => { value: unknown; mended: readonly string[] }

/** The lenient operations. */
export type MendBodies = { [operationId in OperationId]?: MendBody }

/**
 * Reads and checks a large body in another thread. The thread gets a copy of the bytes.
 * Returns undefined when the caller must read the body itself: the body is small, the threads are busy, or the body is not
 * valid and the caller creates the error.
 */
export type ReadElsewhere = (bytes: Buffer) => Promise<ReportDigest | undefined> | undefined

/** The operations whose large bodies other threads read. */
export type ReadersElsewhere = { [operationId in OperationId]?: ReadElsewhere }

interface Format {
  maxBytes: number
  parse(bytes: Buffer): RequestBody
}

interface ReadOptions {
  mend: MendBody | undefined
  readElsewhere: ReadElsewhere | undefined
  memory: BodyMemory | undefined
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
  { mend, readElsewhere, memory }: ReadOptions,
): Promise<RequestBody> {
  const { headers } = request
  const format = formats[media]
  if (!format) throw new Error(`No parser for "${media}"`)
  checkLength(request, format.maxBytes)
  checkContentType(headers['content-type'], media)
  checkContentEncoding(headers['content-encoding'])
  const bytes = await readBody(request, format.maxBytes, sender, memory)
  const reading = readElsewhere?.(bytes)
  const digest = reading && (await reading)
  // With a digest, the body is stored as it was sent; so the thread makes none if a member name is repeated.
  if (digest) return { value: undefined, sent: withoutByteOrderMark(bytes), digest }
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
