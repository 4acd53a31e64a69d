/** How a text waits in this process and goes to the thread of the database: a long one as its bytes. */
import { type EntryText, longFromBytes } from '../../ports/entry-text.ts'

export function toKept(text: EntryText): EntryText {
  return typeof text !== 'string' || text.length < longFromBytes ? text : Buffer.from(text)
}
