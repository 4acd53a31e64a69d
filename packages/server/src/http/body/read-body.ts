/**
 * Reads and inflates the bytes of a body, up to a limit. A body that is refused is not read further (`unread-body.ts`).
 * In: the request, its length and encoding checked. Out: the bytes; ApiError `body_too_large`, `invalid_body` for a
 * body that is incomplete or cannot be inflated, or `unavailable` if too many large bodies arrive at once.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { createGatheredBytes } from '@posrep/kernel/gathered-bytes'
import { createSlots, type Slots } from '../../concurrency/slots.ts'
import { ApiError } from '../../errors.ts'
import { scaleToHeap } from '../../ports/scale-to-heap.ts'
import { type Sharer, sharesOf } from '../shares.ts'
import { sendContinue } from './expect-continue.ts'

const empty = Buffer.alloc(0)

const decompressors: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** @throws ApiError `body_too_large` if the headers say that the body is larger */
export function checkLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

/** The memory for bodies that are being received. */
export interface BodyMemory {
  maxBytes: number
  inUse: Slots
}

export function createBodyMemory(maxBytes: number): BodyMemory {
  return { maxBytes, inUse: createSlots() }
}

const memoryOfProcess = createBodyMemory(scaleToHeap(256 * 1024 * 1024))

/**
 * Returns an empty buffer if the request has no body.
 * @param sender Its share of the memory for bodies that are being received is limited.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  sender: Sharer,
  memory = memoryOfProcess,
): Promise<Buffer> {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return empty
  sendContinue(request)
  const bytes = await receive(request, maxBytes, sender, memory)
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
const countedAtOnceBytes = 16 * 1024

function receive(request: IncomingMessage, maxBytes: number, sender: Sharer, memory: BodyMemory): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received = createGatheredBytes()
    let countedBytes = uncountedBytes
    let releases: (() => void)[] = []
    let shares: Record<string, number> | undefined
    /** The listeners stay in memory until the request is answered; the bytes must not. */
    function release(): Uint8Array {
      for (const releaseBytes of releases) releaseBytes()
      releases = []
      return received.take()
    }
    function refuse(error: ApiError): void {
      request.off('data', receivePiece)
      release()
      reject(error)
    }
    function receivePiece(piece: Buffer): void {
      received.add(piece)
      if (received.length() > maxBytes) return void refuse(tooLarge(maxBytes))
      while (received.length() > countedBytes) {
        shares ??= sharesOf(memory.maxBytes, sender)
        const acquired = memory.inUse.acquire(shares, countedAtOnceBytes)
        if (acquired.kind === 'full') return void refuse(tooManyBytes(acquired.key))
        countedBytes += countedAtOnceBytes
        releases.push(acquired.release)
      }
    }
    request.on('data', receivePiece)
    request.once('end', () => {
      const { buffer, byteOffset, byteLength } = release()
      resolve(Buffer.from(buffer, byteOffset, byteLength))
    })
    request.once('error', (cause) =>
      refuse(new ApiError('invalid_body', 'The connection closed before the body was complete', { cause })),
    )
  })
}

function tooManyBytes(key: string): ApiError {
  const sender = key === 'all' ? 'The server is receiving' : 'Your account or your network is sending'
  return new ApiError(
    'unavailable',
    `${sender} too many large bodies at once; nothing was stored, send it again in 1 s`,
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
