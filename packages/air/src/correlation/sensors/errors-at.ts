/**
 * What the errors of a sensor do at a place.
 * In: the sensor, and where it has a target. Out: where the target is; the covariance of time and place there.
 */
import { type ErrorCovariance, noErrors, sumErrors } from '../filter/error-covariance.ts'
import { frameAt, move, toVector, type Vector } from '../filter/local-frame.ts'
import { dot, type PerError, type SensorCovariance, times } from './covariance.ts'
import type { Sensor } from './sensor.ts'
import { findPolarSite, fromSite } from './site.ts'

const radians = Math.PI / 180

/** The place of a target, of which the errors of the sensor are removed as far as they are known. */
export function placeOf(
  sensor: Sensor,
  { latDegrees, lonDegrees }: { latDegrees: number; lonDegrees: number },
): Vector {
  const place = toVector(latDegrees, lonDegrees)
  const { eastMetres, northMetres, azimuthDegrees, rangeMetres } = sensor
  const site = findPolarSite(sensor)
  if (site) {
    const frame = frameAt(place)
    const { east, north, metres } = fromSite(site, place, frame)
    const [sin, cos] = [Math.sin(azimuthDegrees * radians), Math.cos(azimuthDegrees * radians)]
    const share = Math.max(0, 1 - rangeMetres / metres)
    const trueEast = share * (east * cos - north * sin)
    const trueNorth = share * (north * cos + east * sin)
    move(place, frame, trueEast - east - eastMetres, trueNorth - north - northMetres)
  } else if (eastMetres !== 0 || northMetres !== 0) move(place, frameAt(place), -eastMetres, -northMetres)
  return place
}

/** How many metres to the east and to the north one unit of each error makes. */
export interface Effects {
  east: PerError
  north: PerError
}

export function effectsAt(sensor: Sensor, place: Vector): Effects {
  const site = findPolarSite(sensor)
  if (!site) return { east: [0, 1, 0, 0, 0], north: [0, 0, 1, 0, 0] }
  const { east, north, metres } = fromSite(site, place)
  return {
    east: [0, 1, 0, north * radians, east / metres],
    north: [0, 0, 1, -east * radians, north / metres],
  }
}

export function errorsAt(sensor: Sensor, place: Vector): ErrorCovariance {
  const { covariance } = sensor
  if (findPolarSite(sensor)) return toErrorsAt(covariance, clock, effectsAt(sensor, place))
  return {
    time: covariance[0][0],
    timeEast: covariance[0][1],
    timeNorth: covariance[0][2],
    east: covariance[1][1],
    eastNorth: covariance[1][2],
    north: covariance[2][2],
  }
}

/** Of azimuth and range alone. */
export function polarErrorsAt(sensor: Sensor, place: Vector): Readonly<ErrorCovariance> {
  if (!findPolarSite(sensor)) return noErrors
  const { east, north } = effectsAt(sensor, place)
  return toErrorsAt(sensor.covariance, none, {
    east: [0, 0, 0, east[3], east[4]],
    north: [0, 0, 0, north[3], north[4]],
  })
}

/** What a position of one sensor has of these errors that one of the other has not. */
export function errorsBetween(a: Sensor, b: Sensor, place: Vector): Readonly<ErrorCovariance> {
  return a === b ? noErrors : sumErrors(errorsAt(a, place), errorsAt(b, place))
}

const clock: Readonly<PerError> = [1, 0, 0, 0, 0]
const none: Readonly<PerError> = [0, 0, 0, 0, 0]

function toErrorsAt(
  covariance: Readonly<SensorCovariance>,
  time: Readonly<PerError>,
  { east, north }: Effects,
): ErrorCovariance {
  const ofTime = times(covariance, time)
  const ofEast = times(covariance, east)
  return {
    time: dot(ofTime, time),
    timeEast: dot(ofTime, east),
    timeNorth: dot(ofTime, north),
    east: dot(ofEast, east),
    eastNorth: dot(ofEast, north),
    north: dot(times(covariance, north), north),
  }
}
