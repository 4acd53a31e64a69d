/**
 * Reads a report for the tracker.
 * In: the report as submitted, and what is known of its sensor. Out: its standard positions with altitudes above every datum that
 * follows, and what is known of the sensor now. Positions that the device has reported before are left out. Pure.
 */
import type { PositionReport } from '@posrep/spec'
import { type EntryText, toEntryText } from '../../ports/storage/entry-text.ts'
import { toEpochMs } from '../../reports/epoch-ms.ts'
import { completeAltitudes, type Terrain } from '../../standard/altitudes.ts'
import { standardise } from '../../standard/standardise.ts'
import type { Reception } from '../track.ts'
import { type SensorState, toAltitudeInputs, updateState } from './sensor-state.ts'

export interface ReceivedReport {
  deviceUrn: string
  seq: number
  receivedAtMs: number
  duplicates: readonly number[]
  text: EntryText
}

/** Corrects the mistakes that the compat profile accepts. Pure. */
export type Mend = (value: unknown) => { value: unknown }

export interface ReadReport {
  receptions: Reception[]
  /** Times from the measurement of each position to the reception. */
  lagsMs: number[]
  sensorState: SensorState
}

export interface ReadingOptions {
  mend: Mend
  terrain?: Terrain | undefined
}

/** @throws SyntaxError when the text is not JSON */
export function toReceptions(
  { deviceUrn, receivedAtMs, duplicates, text }: ReceivedReport,
  knownState: SensorState,
  { mend, terrain }: ReadingOptions,
): ReadReport {
  // The ingest mended it in the same way and validated it against the OpenAPI document.
  const { sensor, positions } = mend(JSON.parse(toEntryText(text))).value as PositionReport
  const repeated = new Set(duplicates)
  const fresh = repeated.size === 0 ? positions : positions.filter((_, index) => !repeated.has(index))
  const timesMs = fresh.map(({ sourceTimeStamp }) => toEpochMs(sourceTimeStamp))
  const sensorState = updateState(knownState, sensor, receivedAtMs)
  const inputs = { ...toAltitudeInputs(sensorState, receivedAtMs), ...(terrain && { terrain }) }
  const standard = standardise(fresh, timesMs)
  const receptions = standard.map((position): Reception => {
    const altitudes = completeAltitudes(position, inputs)
    return { deviceUrn, receivedAtMs, position: { ...position, altitudes } }
  })
  return {
    receptions,
    lagsMs: standard.map(({ timeMs, ageMs = 0 }) => receivedAtMs - timeMs + ageMs),
    sensorState,
  }
}
