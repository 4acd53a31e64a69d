/**
 * Reads a body up to a size limit.
 * In: a request or response, the largest size, a signal that ends the wait. Out: the raw bytes, because signatures cover them.
 */
import { ReceiverError } from '../errors.ts'

export interface ReadBodyOptions {
  maxBytes: number
  signal: AbortSignal
}

/** @throws ReceiverError `body_too_large` as soon as the limit is exceeded, `body_incomplete` when the sender disconnects. */
export async function readBody(
  { body, headers }: Pick<Request, 'body' | 'headers'>,
  { maxBytes, signal }: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers.get('content-length')) > maxBytes) {
    await body?.cancel()
    throw tooLarge(maxBytes)
  }
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  const stop = () => reader.cancel().catch(() => {}) // the sender has already disconnected
  signal.addEventListener('abort', stop)

  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(incomplete)
    signal.throwIfAborted()
    if (done) return concatenate(chunks, length)
    length += value.byteLength
    if (length > maxBytes) {
      await stop()
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
}

export function concatenate(chunks: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

function tooLarge(maxBytes: number): ReceiverError {
  return new ReceiverError('body_too_large', `The body is larger than ${maxBytes} bytes`)
}

function incomplete(cause: unknown): never {
  throw new ReceiverError('body_incomplete', 'Connection closed before the body was complete; send the message again', {
    cause,
  })
}
