/**
 * Turns a log entry into the report that the stages receive.
 * In: the log entry, and the function that mends reports of the compat profile. Out: a report that is parsed when a
 * stage first reads it; the built-in stages need only its summary.
 */

import type { StandardPosition } from '@posrep/air/standard'
import { standardise, toEpochMs } from '@posrep/air/standard'
import type { PositionReport } from '@posrep/spec'
import type { Mend } from '../ports/mend.ts'
import type { ReportSummary } from '../ports/report-summary.ts'
import type { DeviceRecord } from '../ports/storage/directory.ts'
import type { EntryText } from '../ports/storage/entry-text.ts'
import type { LogEntry } from '../ports/storage/log.ts'
import { matchSensor } from '../reports/own-sensor.ts'
import { summarise } from '../reports/report-summary.ts'
import type { PipelineReport } from './stage.ts'

const none: ReadonlySet<number> = new Set()

/** @throws SyntaxError when the entry has no summary and its text is not JSON. */
export function toPipelineReport(entry: LogEntry, device: DeviceRecord, mend: Mend): PipelineReport {
  return new LoggedReport(entry, device, mend)
}

/** A class: for object literals with getters, V8 would create one hidden class each, and free them late. */
class LoggedReport implements PipelineReport {
  device: DeviceRecord
  readonly seq: number
  readonly receivedAtMs: number
  readonly summary: ReportSummary
  readonly tags: Set<string>
  duplicates = none
  readonly #entry: LogEntry
  readonly #mend: Mend
  #report: PositionReport | undefined
  #timesMs: number[] | undefined
  #standard: StandardPosition[] | undefined

  constructor(entry: LogEntry, device: DeviceRecord, mend: Mend) {
    this.device = device
    this.seq = entry.seq
    this.receivedAtMs = entry.appendedAtMs
    this.#entry = entry
    this.#mend = mend
    // Only the ingest sets `value`, and it sets a ReportSummary.
    this.summary = (entry.value as ReportSummary | undefined) ?? this.#summarise()
    this.tags = new Set(this.summary.isMended ? ['mended'] : [])
  }

  get text(): string {
    return this.#entry.body
  }

  get raw(): EntryText {
    return this.#entry.raw ?? this.#entry.body
  }

  get report(): PositionReport {
    return this.#report ?? this.#read().report
  }

  get timesMs(): readonly number[] {
    return (this.#timesMs ??= this.report.positions.map(({ sourceTimeStamp }) => toEpochMs(sourceTimeStamp)))
  }

  get standard(): readonly StandardPosition[] {
    return (this.#standard ??= standardise(this.report.positions, this.timesMs))
  }

  #read(): { report: PositionReport; isMended: boolean } {
    const { value, mended } = this.#mend(JSON.parse(this.text))
    // The ingest mended it in the same way and validated it against the OpenAPI document.
    this.#report = value as PositionReport
    const isMended = mended.length > 0 || matchSensor(this.device.id, this.#report.sensor?.id) === 'own-without-imei'
    return { report: this.#report, isMended }
  }

  #summarise(): ReportSummary {
    const { report, isMended } = this.#read()
    return summarise(report, isMended)
  }
}
