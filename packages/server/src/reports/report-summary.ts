/**
 * Summarises a report for the built-in stages: a few kB, while the parsed report takes hundreds of kB.
 * In: a valid report. Out: its summary. The ingest has parsed the report, makes the summary, and appends it with the log
 * entry. The pipeline makes the summary when a leased entry has none. See docs/decisions/0032-report-summaries.md.
 */
import type { PositionData, PositionReport } from '@posrep/spec'
import type { ReportDigest } from '../ports/report-digest.ts'
import { toEpochMs } from './epoch-ms.ts'
import { keyOf } from './position-key.ts'
import { toNames } from './report-identity.ts'

export interface ReportSummary extends ReportDigest {
  /** Whether the compat profile mended the report. */
  isMended: boolean
  /** Whether all positions have the specification's minimum content for the map view. */
  isMapped: boolean
  /** Datum of the altitude of the sensor itself. */
  sensorDatum: string | undefined
  /** Times of the positions, in ms since the epoch. */
  earliestMs: number
  latestMs: number
  /** The `keyOf` of each position. */
  keys: readonly number[]
  /** `toNames` of the positions; the id of the delivery is a hash of it. */
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
