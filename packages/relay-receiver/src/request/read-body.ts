/**
 * Reads a body up to a size limit.
 * In: a request or response, the largest size, a signal that ends the wait. Out: the raw bytes, because signatures cover them.
 */
import { ReceiverError } from '../errors.ts'

export interface ReadBodyOptions {
  maxBytes: number
  signal: AbortSignal
  /** Called with the size of each chunk; what it throws ends the reading. */
  onBytes?: (bytes: number) => void
}

/**
 * @throws ReceiverError `body_too_large` as soon as the limit is exceeded, `body_incomplete` when the sender disconnects,
 * `body_already_read` when other code has read the body.
 */
export async function readBody(
  { body, headers, bodyUsed }: Pick<Request, 'body' | 'headers' | 'bodyUsed'>,
  { maxBytes, signal, onBytes = () => {} }: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bodyUsed || body?.locked) throw alreadyRead()
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
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(incomplete)
      signal.throwIfAborted()
      if (done) return concatenate(chunks, length)
      length += value.byteLength
      if (length > maxBytes) throw tooLarge(maxBytes)
      onBytes(value.byteLength)
      chunks.push(value)
    }
  } catch (error) {
    await stop()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
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

function alreadyRead(): ReceiverError {
  return new ReceiverError(
    'body_already_read',
    'The body was read before the relay receiver saw it; pass the request on before anything reads it, or pass request.clone()',
  )
}

function tooLarge(maxBytes: number): ReceiverError {
  return new ReceiverError('body_too_large', `The body is larger than ${maxBytes} bytes`)
}

function incomplete(cause: unknown): never {
  // An adapter that finds the body read says so through the stream.
  if (cause instanceof ReceiverError) throw cause
  throw new ReceiverError('body_incomplete', 'Connection closed before the body was complete; send the message again', {
    cause,
  })
}
