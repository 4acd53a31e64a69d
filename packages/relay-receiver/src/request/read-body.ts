/**
 * Reads a body up to a size limit.
 * In: a request or response, the largest size, a signal that ends the wait. Out: the raw bytes, because signatures
 * cover them. Bytes are counted as they arrive: proxies and wrappers leave a `content-length` that is not that of the
 * body.
 */
import { createGatheredBytes } from '@posrep/kernel/gathered-bytes'
import { ReceiverError } from '../errors.ts'
import { findBytes } from './bytes.ts'

export interface ReadBodyOptions {
  maxBytes: number
  signal: AbortSignal
  /** Called with the size of each chunk; what it throws ends the reading. */
  onBytes?: (bytes: number) => void
}

/**
 * @throws ReceiverError `body_too_large` as soon as the limit is exceeded, `body_incomplete` when the sender
 * disconnects, `body_already_read` when other code has read the body.
 */
export async function readBody(
  { body, bodyUsed }: Pick<Request, 'body' | 'bodyUsed'>,
  { maxBytes, signal, onBytes = () => {} }: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bodyUsed || body?.locked) throw alreadyRead()
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  const stop = () => reader.cancel().catch(() => {}) // the sender has already disconnected
  signal.addEventListener('abort', stop)

  const gathered = createGatheredBytes()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(incomplete)
      signal.throwIfAborted()
      if (done) return new Uint8Array(gathered.take())
      const chunk = toChunk(value)
      if (gathered.length() + chunk.byteLength > maxBytes) throw tooLarge(maxBytes)
      onBytes(chunk.byteLength)
      gathered.add(chunk)
    }
  } catch (error) {
    await stop()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A stream may contain text, if other code made it. */
function toChunk(value: unknown): Uint8Array {
  const chunk = value instanceof Uint8Array ? value : findBytes(value)
  if (chunk) return chunk
  throw alreadyRead()
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
