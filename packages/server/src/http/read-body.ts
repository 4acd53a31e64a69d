/**
 * The bytes of a body, inflated, and never more of them than asked for.
 * In: the request, its encoding checked. Out: the bytes; ApiError `body_too_large`, or `invalid_body` for what ends early or
 * cannot be inflated.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { ApiError } from '../errors.ts'

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

/** What is too large is read to its end and thrown away: an answer in the middle of it might not be seen. */
function receive(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) chunks = []
      else chunks.push(chunk)
    })
    request.once('end', () => {
      if (length > maxBytes) return reject(tooLarge(maxBytes))
      const [first = nothing] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks, length) : first)
    })
    request.once('error', (cause) => reject(new ApiError('invalid_body', 'The body ends before its end', { cause })))
  })
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
