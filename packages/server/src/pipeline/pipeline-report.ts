/**
 * A log entry as the stages get it.
 * In: what was logged, and what mends what a lenient ingest let pass. Out: a report whose derived parts are made when they
 * are first read: most stages need few of them, and all of it runs beside the ingest.
 */
import type { PositionReport } from '@posrep/spec'
import type { DeviceRecord } from '../ports/directory.ts'
import type { LogEntry } from '../ports/log.ts'
import { toEpochMs } from './epoch-ms.ts'
import type { PipelineReport } from './stage.ts'
import type { StandardPosition } from './standard-position.ts'
import { standardise } from './standardise.ts'

/** What a valid report of the same content is; a valid one is itself. Pure. */
export type Mend = (value: unknown) => { value: unknown; mended: readonly unknown[] }

const none: ReadonlySet<number> = new Set()

export function toPipelineReport(entry: LogEntry, device: DeviceRecord, mend: Mend): PipelineReport {
  const { seq, appendedAtMs, body } = entry
  const { value, mended } = mend(entry.value ?? JSON.parse(body))
  // Validated against the document, mended in the same way, before it was logged.
  const report = value as PositionReport
  let timesMs: number[] | undefined
  let standard: StandardPosition[] | undefined
  return {
    device,
    seq,
    receivedAtMs: appendedAtMs,
    text: body,
    report,
    tags: new Set(mended.length > 0 ? ['mended'] : []),
    duplicates: none,
    get timesMs() {
      return (timesMs ??= report.positions.map(({ sourceTimeStamp }) => toEpochMs(sourceTimeStamp)))
    },
    get standard() {
      return (standard ??= standardise(report.positions, this.timesMs))
    },
  }
}
