/**
 * A text that waits: a long one as its bytes, which are copied neither when garbage is collected nor, as characters are, one
 * by one on their way to the database.
 */
export type KeptText = string | Uint8Array

/** Making bytes of a shorter text costs more than it saves. */
const longFrom = 8 * 1024

export function toKept(text: string): KeptText {
  return text.length < longFrom ? text : Buffer.from(text)
}

export function fromKept(kept: KeptText): string {
  return typeof kept === 'string' ? kept : Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString('utf8')
}
