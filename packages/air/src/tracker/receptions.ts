/**
 * Reads a report for the correlation.
 * In: the report, and what is known of its sensor. Out: its standard positions with altitudes above every datum that
 * follows, and what is known of the sensor now. Pure.
 */
import type { PositionReport } from '@posrep/spec'
import { completeAltitudes, type Terrain } from '../standard/altitudes.ts'
import { toEpochMs } from '../standard/epoch-ms.ts'
import { standardise } from '../standard/standardise.ts'
import type { Reception } from '../track/track.ts'
import { type SensorState, toAltitudeInputs, updateState } from './sensor-state.ts'

export interface ReadReport {
  receptions: Reception[]
  /** Times from the measurement of each position to the reception. */
  lagsMs: number[]
  sensorState: SensorState
}

export function toReceptions(
  { sensor, positions }: PositionReport,
  from: Pick<Reception, 'deviceUrn' | 'receivedAtMs'>,
  knownState: SensorState,
  terrain: Terrain | undefined,
): ReadReport {
  const { receivedAtMs } = from
  const timesMs = positions.map(({ sourceTimeStamp }) => toEpochMs(sourceTimeStamp))
  const sensorState = updateState(knownState, sensor, receivedAtMs)
  const inputs = { ...toAltitudeInputs(sensorState, receivedAtMs), ...(terrain && { terrain }) }
  const place = sensorState.position && { latDegrees: sensorState.position.lat, lonDegrees: sensorState.position.lon }
  const standard = standardise(positions, timesMs)
  const receptions = standard.map((position): Reception => {
    const altitudes = completeAltitudes(position, inputs)
    return { ...from, position: { ...position, altitudes }, ...(place && { sensorPosition: place }) }
  })
  return {
    receptions,
    lagsMs: standard.map(({ timeMs, ageMs = 0 }) => receivedAtMs - timeMs + ageMs),
    sensorState,
  }
}
