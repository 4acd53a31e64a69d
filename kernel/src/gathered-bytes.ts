/**
 * Bytes that arrive in pieces, kept together: a `Buffer` of one byte takes 400 bytes of memory, and the sender chooses
 * the size of pieces.
 * In: pieces, which must not change. Out: all bytes since the last `take`, once.
 */
export interface GatheredBytes {
  length(): number
  add(piece: Uint8Array): void
  take(): Uint8Array
}

/** Larger pieces are kept as they are. */
const smallBytes = 1_024
const mostCopiedBytes = 16 * 1_024
const none = new Uint8Array(0)

export function createGatheredBytes(): GatheredBytes {
  let length = 0
  let parts: Uint8Array[] = []
  /** Copies of small pieces that follow each other. */
  let copied = none
  let copiedBytes = 0

  function copy(piece: Uint8Array): void {
    const needed = copiedBytes + piece.byteLength
    if (needed > copied.byteLength) {
      const larger = new Uint8Array(Math.max(smallBytes, 2 * needed))
      larger.set(copied.subarray(0, copiedBytes))
      copied = larger
    }
    copied.set(piece, copiedBytes)
    copiedBytes = needed
    if (copiedBytes >= mostCopiedBytes) endCopy()
  }

  function endCopy(): void {
    if (copiedBytes === 0) return
    parts.push(copied.subarray(0, copiedBytes))
    copied = none
    copiedBytes = 0
  }

  return {
    length: () => length,
    add(piece) {
      // Most bodies come in one piece, which is not copied.
      if (length > 0 && piece.byteLength < smallBytes) copy(piece)
      else {
        endCopy()
        parts.push(piece)
      }
      length += piece.byteLength
    },
    take() {
      endCopy()
      const [first = none] = parts
      const taken = parts.length <= 1 ? first : concatenate(parts, length)
      parts = []
      length = 0
      return taken
    },
  }
}

export function concatenate(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}
