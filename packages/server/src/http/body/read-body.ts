/**
 * Reads and inflates the bytes of a body, up to a limit.
 * In: the request, its encoding checked. Out: the bytes; ApiError `body_too_large`, or `invalid_body` for a body that is
 * incomplete or cannot be inflated.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { ApiError } from '../../errors.ts'
import { memoryRoom } from '../../ports/memory-room.ts'

const empty = Buffer.alloc(0)

const decompressors: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Returns an empty buffer if the request has no body. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return empty
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

/** The start of each body is not counted, because the number of connections is limited. */
const uncountedBytes = 64 * 1024
/** Counted bytes of all bodies that are being received. */
let receivingBytes = 0
const maxReceivingBytes = memoryRoom(256 * 1024 * 1024)

/** A body above the limit is read to its end and discarded: some clients do not read an answer while they send. */
function receive(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let length = 0
    let countedBytes = 0
    let refusal: ApiError | undefined
    /** The listeners stay in memory until the request is answered; the chunks must not. */
    function release(): void {
      chunks = []
      receivingBytes -= countedBytes
      countedBytes = 0
    }
    /** Counts received bytes, and refuses the body if it exceeds a limit. */
    function count(bytes: number): void {
      if (length > maxBytes) refusal = tooLarge(maxBytes)
      else if (receivingBytes + bytes > maxReceivingBytes) refusal = tooManyBytes()
      receivingBytes += bytes
      countedBytes += bytes
      if (refusal) release()
    }
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > Math.min(uncountedBytes, maxBytes) && !refusal) count(chunk.length)
      if (!refusal) chunks.push(chunk)
    })
    request.once('end', () => {
      if (refusal) return reject(refusal)
      const [first = empty] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks, length) : first)
      release()
    })
    request.once('error', (cause) => {
      release()
      reject(new ApiError('invalid_body', 'The connection closed before the body was complete', { cause }))
    })
  })
}

function tooManyBytes(): ApiError {
  return new ApiError(
    'unavailable',
    'The server is receiving too many large bodies at once; nothing was stored, send it again in 1 s',
  )
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
