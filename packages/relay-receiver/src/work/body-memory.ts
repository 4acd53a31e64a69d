/**
 * Limits the memory of bodies that are being received.
 * In: the bytes of each chunk. Out: ReceiverError `too_busy` when all requests together hold too many.
 */
import { ReceiverError } from '../errors.ts'

/** What one request holds. */
export interface BodyShare {
  /** @throws ReceiverError `too_busy` */
  add(bytes: number): void
  release(): void
}

export function createBodyMemory(maxBytes: number): () => BodyShare {
  let heldBytes = 0

  return () => {
    let ownBytes = 0
    return {
      add(bytes) {
        if (heldBytes + bytes > maxBytes) {
          throw new ReceiverError('too_busy', `Bodies of over ${maxBytes} bytes arrive at once; send the message again`)
        }
        heldBytes += bytes
        ownBytes += bytes
      },
      release() {
        heldBytes -= ownBytes
        ownBytes = 0
      },
    }
  }
}
