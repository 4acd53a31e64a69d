/**
 * A log entry whose body is decoded only when it is read, because most reports are processed from their parsed value.
 */
import { type EntryText, toEntryText } from '../ports/storage/entry-text.ts'
import type { LogEntry } from '../ports/storage/log.ts'

/** A class, because its instances share one getter. An object literal would get a new getter function per entry. */
export class LazyEntry implements LogEntry {
  readonly seq: number
  readonly appendedAtMs: number
  readonly value: unknown
  readonly raw: EntryText

  constructor(seq: number, appendedAtMs: number, text: EntryText, value: unknown) {
    this.seq = seq
    this.appendedAtMs = appendedAtMs
    this.value = value
    this.raw = text
  }

  get body(): string {
    return toEntryText(this.raw)
  }
}
