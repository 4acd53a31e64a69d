/**
 * The content of a log entry: JSON text as a string or as UTF-8 bytes. Bytes are cheaper for a long text: the garbage
 * collector does not copy them, and they need not be encoded on the way to a store.
 */
import { isUtf8 } from 'node:buffer'

export type EntryText = string | Uint8Array

/** Encoding a shorter text costs more than it saves. */
export const longFromBytes = 8 * 1024

export function toEntryText(text: EntryText): string {
  return typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8')
}

/** Whether every store can keep the text unchanged: no lone surrogates, and only valid UTF-8. */
export function isWellFormed(text: EntryText): boolean {
  return typeof text === 'string' ? text.isWellFormed() : isUtf8(text)
}

/** The size of the text in UTF-8. */
export function bytesOf(text: EntryText): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength
}
