/**
 * The bytes of a body, inflated, and never more of them than asked for.
 * In: the request, its encoding checked. Out: the bytes; ApiError `body_too_large`, or `invalid_body` for what ends early or
 * cannot be inflated.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { ApiError } from '../errors.ts'
import { memoryRoom } from '../ports/memory-room.ts'

const nothing = Buffer.alloc(0)

const decompressors: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Empty where there is no body. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return nothing
  const bytes = await receive(request, maxBytes)
  const encoding = headers['content-encoding']
  const decompress = encoding === undefined ? undefined : decompressors[encoding.trim().toLowerCase()]
  if (!decompress) return bytes
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes })
  } catch (cause) {
    throw toInflationError(cause, maxBytes)
  }
}

/** What every body may have at any time; connections are bounded. */
const freeBytes = 64 * 1024
/** Bytes beyond those, of all bodies that are on their way, and the most of them. */
let comingBytes = 0
const maxComingBytes = memoryRoom(256 * 1024 * 1024)

/** What is too much is read to its end and thrown away: an answer in the middle of it might not be seen. */
function receive(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let length = 0
    let countedBytes = 0
    let refusal: ApiError | undefined
    /** The listeners live as long as the request, which waits for its answer; the chunks do not. */
    function letGo(): void {
      chunks = []
      comingBytes -= countedBytes
      countedBytes = 0
    }
    /** What is larger than `freeBytes` is let in as long as there is room for it. */
    function count(bytes: number): void {
      if (length > maxBytes) refusal = tooLarge(maxBytes)
      else if (comingBytes + bytes > maxComingBytes) refusal = tooMuch()
      comingBytes += bytes
      countedBytes += bytes
      if (refusal) letGo()
    }
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > Math.min(freeBytes, maxBytes) && !refusal) count(chunk.length)
      if (!refusal) chunks.push(chunk)
    })
    request.once('end', () => {
      if (refusal) return reject(refusal)
      const [first = nothing] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks, length) : first)
      letGo()
    })
    request.once('error', (cause) => {
      letGo()
      reject(new ApiError('invalid_body', 'The body ends before its end', { cause }))
    })
  })
}

function tooMuch(): ApiError {
  return new ApiError('unavailable', 'Too much is being sent at once; nothing was stored, send it again in 1 s')
}

function tooLarge(maxBytes: number): ApiError {
  const limit = maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MiB` : `${maxBytes / 1024} KiB`
  return new ApiError('body_too_large', `The body is larger than ${limit}; send less in one request`, {
    headers: { Connection: 'close' },
  })
}

function toInflationError(cause: unknown, maxBytes: number): ApiError {
  if (!(cause instanceof Error)) throw cause
  if ('code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxBytes)
  return new ApiError('invalid_body', `The body could not be decompressed: ${cause.message}`, { cause })
}
