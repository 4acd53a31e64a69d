/**
 * What an entry of the `AirLog` contains.
 * In: reports of an account that went through the pipeline, that its areas were set, or that it no longer has a sensor.
 * Out: JSON text, and back.
 * A report that the recent reports keep is not stored again: the entry has only its seq. See docs/decisions/0054.
 */
import { bytesOf, type EntryText, toEntryText } from '../../ports/storage/entry-text.ts'

/** A report as it comes out of the pipeline. */
export interface InboxReport {
  /** The seq in the report log. */
  seq: number
  receivedAtMs: number
  /** Indexes of positions that the device has reported before. */
  duplicates: ReadonlySet<number>
  /** The report as submitted. */
  raw: EntryText
}

/** A report as it comes out of the entry. */
export interface AirReport {
  deviceUrn: string
  seq: number
  receivedAtMs: number
  /** The size of its text. */
  bytes: number
  duplicates: readonly number[]
  /** Absent if the recent reports keep it. */
  text?: string
}

export type AirEntry =
  | { kind: 'reports'; reports: AirReport[] }
  | { kind: 'areas' }
  | { kind: 'removed'; deviceUrn: string }

export type Row = [seq: number, receivedAtMs: number, bytes: number, duplicates: readonly number[] | 0, text?: string]

/** Reports of one device, in the order of acceptance. */
export type DeviceRows = readonly [deviceUrn: string, rows: readonly Row[]]

/** The areas are not in the entry: they are read when it is processed, so that the last change wins. */
export const areasEntry = '{"areas":1}'

export function toRemovedEntry(deviceUrn: string): string {
  return JSON.stringify({ removed: deviceUrn })
}

/** @param isKept Whether the recent reports keep the report. If not, the row has its text. */
export function toRow({ seq, receivedAtMs, duplicates, raw }: InboxReport, isKept: boolean): Row {
  const listed = duplicates.size > 0 ? [...duplicates] : 0
  const bytes = bytesOf(raw)
  return isKept ? [seq, receivedAtMs, bytes, listed] : [seq, receivedAtMs, bytes, listed, toEntryText(raw)]
}

export function toEntryBody(devices: readonly DeviceRows[]): string {
  return JSON.stringify(devices)
}

/** In: a body that this module made. */
export function readEntryBody(body: string): AirEntry {
  if (body === areasEntry) return { kind: 'areas' }
  // Only `toEntryBody` and `toRemovedEntry` write other bodies.
  const content = JSON.parse(body) as DeviceRows[] | { removed: string }
  if ('removed' in content) return { kind: 'removed', deviceUrn: content.removed }
  return {
    kind: 'reports',
    reports: content.flatMap(([deviceUrn, rows]) => rows.map((row) => toReport(deviceUrn, row))),
  }
}

function toReport(deviceUrn: string, [seq, receivedAtMs, bytes, listed, text]: Row): AirReport {
  const duplicates = listed === 0 ? [] : listed
  return { deviceUrn, seq, receivedAtMs, bytes, duplicates, ...(text !== undefined && { text }) }
}
