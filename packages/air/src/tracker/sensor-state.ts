/**
 * What a sensor has said of itself: where it is, how high, and the air pressure there.
 * In: the `sensor` of its reports, in order; some sensors send these values once, or seldom. Out: the latest of each,
 * and what of it can complete altitudes. Pure.
 */

import type { GeographicPosition, Height, PositionReport } from '@posrep/spec'
import type { AltitudeInputs } from '../standard/altitudes.ts'

/** JSON. */
export interface SensorState {
  position?: GeographicPosition
  /** At `position`, if that is known. */
  altitude?: Height
  pressure?: { hpa: number; receivedAtMs: number }
}

/** An older pressure says nothing about that of today. */
const maxPressureAgeMs = 3 * 3_600_000

export function updateState(
  before: SensorState,
  sensor: PositionReport['sensor'] | undefined,
  receivedAtMs: number,
): SensorState {
  const { geographicPosition, altitude } = sensor?.sensorPosition ?? {}
  const position = geographicPosition ? toPlace(geographicPosition) : before.position
  const hasMoved = position?.lat !== before.position?.lat || position?.lon !== before.position?.lon
  // The altitude of another place is not that of this one. The first place is where the altitude before it was
  // measured.
  const kept = hasMoved && before.position ? undefined : before.altitude
  const height = altitude ? toHeight(altitude) : kept
  const pressure = sensor?.pressure === undefined ? before.pressure : { hpa: sensor.pressure, receivedAtMs }
  return { ...(position && { position }), ...(height && { altitude: height }), ...(pressure && { pressure }) }
}

export function toAltitudeInputs({ altitude, pressure }: SensorState, receivedAtMs: number): AltitudeInputs {
  const ageMs = pressure ? Math.max(0, receivedAtMs - pressure.receivedAtMs) : 0
  return {
    ...(altitude && { sensorAltitude: altitude }),
    ...(pressure && ageMs <= maxPressureAgeMs && { sensorPressureHpa: pressure.hpa, sensorPressureAgeMs: ageMs }),
  }
}

// Only what is used: a report may have further members of any size.

function toPlace({ lat, lon, accuracy }: GeographicPosition): GeographicPosition {
  return { lat, lon, ...(accuracy !== undefined && { accuracy }) }
}

function toHeight({ height, datum, accuracy }: Height): Height {
  return { height, datum, ...(accuracy !== undefined && { accuracy }) }
}
