/**
 * The body of a request, as its operation takes it.
 * In: the request, and the one media type that the document gives for the operation's body. Out: the parsed body.
 */
import type { IncomingMessage } from 'node:http'
import type { OperationId } from '@posrep/spec'
import type { EntryText } from '../ports/entry-text.ts'
import { canonicalContentType, checkContentEncoding } from './content-type.ts'
import { maxFormBytes, parseForm } from './form-body.ts'
import { maxBodyBytes, parseJson } from './json-body.ts'
import { readBody } from './read-body.ts'

export interface RequestBody {
  /** Undefined where there is no body. */
  value: unknown
  /** A JSON body as it was sent (`JsonBody`); empty for other bodies and for none. */
  sent: EntryText
  /** `value` is what `sent` was taken to mean, not what it says. */
  isMended?: boolean
}

/** The bytes of a body whose headers are in order. */
export interface ReceivedBody {
  media: string
  bytes: Buffer
}

/** What a lenient operation takes a body for. Pure; what is right comes back as it is. */
export type MendBody = (value: unknown) => { value: unknown; mended: readonly string[] }

/** The operations that are lenient. */
export type MendBodies = { [operationId in OperationId]?: MendBody }

interface Format {
  maxBytes: number
  parse(bytes: Buffer): RequestBody
}

const formats: Record<string, Format> = {
  'application/json': {
    maxBytes: maxBodyBytes,
    parse: (bytes) => (bytes.length === 0 ? { value: undefined, sent: '' } : parseJson(bytes)),
  },
  'application/x-www-form-urlencoded': {
    maxBytes: maxFormBytes,
    parse: (bytes) => ({ value: parseForm(bytes), sent: '' }),
  },
}

/** @throws ApiError */
export async function readRequestBody(request: IncomingMessage, media: string, mend?: MendBody): Promise<RequestBody> {
  return parseBody(await receiveBody(request, media), mend)
}

/** @throws ApiError */
export async function receiveBody(request: IncomingMessage, media: string): Promise<ReceivedBody> {
  const { headers } = request
  headers['content-type'] = canonicalContentType(headers['content-type'], media)
  checkContentEncoding(headers['content-encoding'])
  return { media, bytes: await readBody(request, formatOf(media).maxBytes) }
}

/** @throws ApiError */
export function parseBody({ media, bytes }: ReceivedBody, mend?: MendBody): RequestBody {
  const body = formatOf(media).parse(bytes)
  if (!mend) return body
  const { value, mended } = mend(body.value)
  return { ...body, value, isMended: mended.length > 0 }
}

function formatOf(media: string): Format {
  const format = formats[media]
  if (!format) throw new Error(`No parser for "${media}"`)
  return format
}
