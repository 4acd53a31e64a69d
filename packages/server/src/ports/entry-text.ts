/**
 * What an entry of a log says: JSON text, or the same as UTF-8 bytes, from who has it as bytes. A long text waits better
 * so: bytes are copied neither when garbage is collected nor, as characters are, one by one on their way to a store.
 */
import { isUtf8 } from 'node:buffer'

export type EntryText = string | Uint8Array

/** Making bytes of a shorter text costs more than it saves. */
export const longFromBytes = 8 * 1024

export function toEntryText(text: EntryText): string {
  return typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8')
}

/** Whether all stores keep it as it is: no lone surrogates, and bytes that are UTF-8. */
export function isWellFormed(text: EntryText): boolean {
  return typeof text === 'string' ? text.isWellFormed() : isUtf8(text)
}
