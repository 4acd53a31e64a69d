/** One step of a report's way through the pipeline. */
import type { PositionReport } from '@posrep/spec'
import type { DeviceRecord } from '../ports/directory.ts'

export interface PipelineReport {
  device: DeviceRecord
  /** Its place in the report log. */
  seq: number
  receivedAtMs: number
  /** As submitted; no stage changes it. */
  text: string
  report: PositionReport
  /** What the pipeline found; shown in `recent`. */
  tags: Set<string>
}

export interface Stage {
  name: string
  /**
   * In: reports of one device, in the order of acceptance. They may come again after a failure or a crash,
   * so doing it twice must be the same as doing it once.
   */
  run(reports: PipelineReport[]): void | Promise<void>
}
