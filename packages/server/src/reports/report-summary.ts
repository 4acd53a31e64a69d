/**
 * What the built-in stages need of a report: some kB, while the parsed report takes some hundred kB.
 * In: a valid report. Out: its summary. The ingest, which has parsed the report, makes it and appends it with the log entry;
 * the pipeline makes it from the text where it leases an entry without one. See docs/decisions/0032-report-summaries.md.
 */
import type { PositionData, PositionReport } from '@posrep/spec'
import type { ReportDigest } from '../ports/report-digest.ts'
import { toEpochMs } from './epoch-ms.ts'
import { toNames } from './names.ts'
import { keyOf } from './position-key.ts'

export interface ReportSummary extends ReportDigest {
  /** The text differs from the report that was meant. */
  isMended: boolean
  /** All positions have the specification's minimum content for the map view. */
  isMapped: boolean
  /** Datum of the sensor's own altitude. */
  sensorDatum: string | undefined
  /** Times of the positions, in ms since the epoch. */
  earliestMs: number
  latestMs: number
  /** `keyOf` each position. */
  keys: readonly number[]
  /** `toNames` the positions: the id of the delivery is a hash of it. */
  names: string
}

export function summarise({ sensor, positions }: PositionReport, isMended: boolean): ReportSummary {
  const keys: number[] = []
  let isMapped = true
  let earliestMs = Number.POSITIVE_INFINITY
  let latestMs = Number.NEGATIVE_INFINITY
  for (const position of positions) {
    const timeMs = toEpochMs(position.sourceTimeStamp)
    if (timeMs < earliestMs) earliestMs = timeMs
    if (timeMs > latestMs) latestMs = timeMs
    keys.push(keyOf(position.id, timeMs))
    isMapped &&= hasMapContent(position)
  }
  const sensorDatum = sensor?.sensorPosition?.altitude?.datum
  const names = toNames(positions)
  return {
    sensorId: sensor?.id,
    positions: positions.length,
    isMended,
    isMapped,
    sensorDatum,
    earliestMs,
    latestMs,
    keys,
    names,
  }
}

/** An object on the ground needs no velocity. */
function hasMapContent({ target, altitudes, groundVelocity, onGround }: PositionData): boolean {
  const moving = groundVelocity?.x !== undefined && groundVelocity.y !== undefined && groundVelocity.z !== undefined
  const identified = target?.ids?.some(({ type }) => type !== undefined) === true
  return identified && (altitudes?.length ?? 0) > 0 && (moving || onGround === true)
}
