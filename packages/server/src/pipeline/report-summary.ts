/**
 * What the stages of the house need of a report: some kB, where the parsed report is some hundred.
 * In: a valid report. Out: its summary, made once, at the ingest, which has parsed the report anyway, and handed over with
 * the text. Where nothing was handed over it is made from the text again.
 */
import type { PositionData, PositionReport } from '@posrep/spec'
import { namesOf } from '../relays/delivery.ts'
import { toEpochMs } from './epoch-ms.ts'
import { keyOf } from './position-key.ts'

export interface ReportSummary {
  /** The sensor that the report names. */
  sensorId: string | undefined
  /** How many. */
  positions: number
  /** What the text says is not what it was taken to mean. */
  isMended: boolean
  /** All of them have the specification's minimum content for the map view. */
  isMapped: boolean
  /** Of the sensor's own altitude. */
  sensorDatum: string | undefined
  /** Of all positions, in ms since the epoch. */
  earliestMs: number
  latestMs: number
  /** One for each position: the same for the same id at the same moment, in this process. */
  keys: readonly number[]
  /** What the id of its delivery is made of. */
  names: string
  /** Of the request that submitted it, as `findTrace` says it; not known where the summary is made from the text again. */
  trace?: string | undefined
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
  const names = namesOf(positions)
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
