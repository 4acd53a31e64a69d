/**
 * A log entry as the stages get it.
 * In: what was logged, and what mends what a lenient ingest let pass. Out: a report that is parsed when a stage first reads
 * it; the stages of the house do with its summary.
 */
import type { PositionReport } from '@posrep/spec'
import type { DeviceRecord } from '../ports/directory.ts'
import type { LogEntry } from '../ports/log.ts'
import { toEpochMs } from './epoch-ms.ts'
import { type ReportSummary, summarise } from './report-summary.ts'
import type { PipelineReport } from './stage.ts'
import type { StandardPosition } from './standard-position.ts'
import { standardise } from './standardise.ts'

/** What a valid report of the same content is; a valid one is itself. Pure. */
export type Mend = (value: unknown) => { value: unknown; mended: readonly unknown[] }

const none: ReadonlySet<number> = new Set()

/** @throws SyntaxError for a text that cannot be read, where there is no summary of it. */
export function toPipelineReport(entry: LogEntry, device: DeviceRecord, mend: Mend): PipelineReport {
  const { seq, appendedAtMs, body } = entry
  let report: PositionReport | undefined
  let timesMs: number[] | undefined
  let standard: StandardPosition[] | undefined

  function read(): { report: PositionReport; isMended: boolean } {
    const { value, mended } = mend(JSON.parse(body))
    // Validated against the document, mended in the same way, before it was logged.
    report = value as PositionReport
    return { report, isMended: mended.length > 0 }
  }

  function summariseText(): ReportSummary {
    const { report, isMended } = read()
    return summarise(report, isMended)
  }

  // Only the ingest hands anything over, and it hands over this.
  const summary = (entry.value as ReportSummary | undefined) ?? summariseText()
  return {
    device,
    seq,
    receivedAtMs: appendedAtMs,
    text: body,
    summary,
    tags: new Set(summary.isMended ? ['mended'] : []),
    duplicates: none,
    get report() {
      return report ?? read().report
    },
    get timesMs() {
      return (timesMs ??= this.report.positions.map(({ sourceTimeStamp }) => toEpochMs(sourceTimeStamp)))
    },
    get standard() {
      return (standard ??= standardise(this.report.positions, this.timesMs))
    },
  }
}
