/** A stage of the pipeline, and the reports that it receives. */

import type { StandardPosition } from '@posrep/air/standard'
import type { PositionReport } from '@posrep/spec'
import type { ReportSummary } from '../ports/report-summary.ts'
import type { DeviceRecord } from '../ports/storage/directory.ts'
import type { EntryText } from '../ports/storage/entry-text.ts'

/** An accepted report in the pipeline. A stage reads it, and changes nothing except `tags`. */
export interface PipelineReport {
  /** The device as it is now: changes by the user also apply to reports that are already in the pipeline. */
  device: DeviceRecord
  /** The seq in the report log. It stays the same when the report is processed again after a failure or a crash. */
  readonly seq: number
  readonly receivedAtMs: number
  /** The report as submitted. The recent reports of a device and relay messages contain this text. */
  readonly text: string
  /** The same as the log has it, as bytes if it is long: for a stage that passes it on unchanged. */
  readonly raw: EntryText
  /** Computed when the report was accepted. The properties below are computed when they are first read. */
  readonly summary: ReportSummary
  /** The parsed `text`; with the compat profile, the mended report. */
  readonly report: PositionReport
  /** The time of each position, in ms since the epoch, in the order of `report.positions`. */
  readonly timesMs: readonly number[]
  /** One standard position for each position, in the toolkit's units and notations. */
  readonly standard: readonly StandardPosition[]
  /** Tags that the stages have added. The recent reports of a device show them. */
  readonly tags: Set<string>
  /** Indexes in `report.positions` of the positions that the device has reported before. */
  duplicates: ReadonlySet<number>
}

export interface Stage {
  /** Appears in the reason when a report is buried. */
  name: string
  /**
   * In: 1 to 100 reports of one device, in the order of acceptance. After a failure or a crash the same reports may
   * come again, so a stage must be idempotent.
   *
   * When a stage throws, or an integrator's stage takes longer than 10 s, it is retried with each report alone. A
   * report that fails alone three times is buried with the error message. ApiError `unavailable` does not count as a
   * failure of the report: the device's queue is leased again after a second.
   */
  run(reports: readonly PipelineReport[]): void | Promise<void>
  /**
   * Called when a report was buried. The stage must forget the report, because it may be processed again as a new one.
   */
  forget?(report: PipelineReport): void
}
