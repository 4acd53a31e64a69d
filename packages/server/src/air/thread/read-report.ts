/**
 * Reads a report of an entry for its picture.
 * In: its text, and which of its positions the device has reported before. Out: the report with the others. Pure.
 */
import type { PositionReport } from '@posrep/spec'
import { type EntryText, toEntryText } from '../../ports/storage/entry-text.ts'

/** Corrects the mistakes that the compat profile accepts. Pure. */
export type Mend = (value: unknown) => { value: unknown }

export interface ReportText {
  duplicates: readonly number[]
  text: EntryText
}

/** @throws SyntaxError when the text is not JSON */
export function readReport({ duplicates, text }: ReportText, mend: Mend): PositionReport {
  // The ingest mended it in the same way and validated it against the OpenAPI document.
  const report = mend(JSON.parse(toEntryText(text))).value as PositionReport
  const repeated = new Set(duplicates)
  if (repeated.size === 0) return report
  return { ...report, positions: report.positions.filter((_, index) => !repeated.has(index)) }
}
