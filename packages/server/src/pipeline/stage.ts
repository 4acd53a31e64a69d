/** One step of a report's way through the pipeline, and what it is given. */
import type { PositionReport } from '@posrep/spec'
import type { DeviceRecord } from '../ports/directory.ts'
import type { ReportSummary } from '../reports/report-summary.ts'
import type { StandardPosition } from './standard/standard-position.ts'

/** An accepted report on its way. A stage reads it, adds to its `tags`, and changes nothing else. */
export interface PipelineReport {
  /** As it was a moment ago: a switch of the user takes effect on what is on its way. */
  device: DeviceRecord
  /** Its seq in the report log; the same when it is processed again after a failure or a crash. */
  readonly seq: number
  readonly receivedAtMs: number
  /** As submitted: what `recent` and relay messages say. */
  readonly text: string
  /** What was found about it when it was accepted: it costs nothing, where all that follows is made when it is first read. */
  readonly summary: ReportSummary
  /** What `text` says; with the compat profile, what it was taken to mean. */
  readonly report: PositionReport
  /** When each position was, in ms since the epoch, in the order of `report.positions`. */
  readonly timesMs: readonly number[]
  /** One for each position, in the units and notations of the house. */
  readonly standard: readonly StandardPosition[]
  /** What the pipeline found; shown in `recent`. */
  readonly tags: Set<string>
  /** Places in `report.positions` of those that the device has reported before. */
  duplicates: ReadonlySet<number>
}

export interface Stage {
  /** For the reason of a burial. */
  name: string
  /**
   * In: reports of one device, in the order of acceptance; 1 to 100. They may come again after a failure or a crash,
   * so doing it twice must be the same as doing it once.
   *
   * One that throws, or an integrator's that takes longer than 10 s, is tried again with each report alone; a report that
   * fails alone three times is buried with the message. ApiError `unavailable` is no fault of a report: the device's queue
   * is leased again after a second.
   */
  run(reports: readonly PipelineReport[]): void | Promise<void>
  /** The report was buried: what is remembered of it does not count, since it may be taken up again as a new one. */
  forget?(report: PipelineReport): void
}
