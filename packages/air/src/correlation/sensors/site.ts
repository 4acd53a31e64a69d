/**
 * Where a sensor stands, if it says so. A radar measures bearings and ranges from there, so an error of its azimuth or
 * of its range is another one in metres at each place. Only a sensor that stays where it is has such errors: the
 * azimuth of one that moves changes with its heading. One that has its positions from satellites has none: it says who
 * targets are, and none outranks it.
 */
import type { Measured } from '../filter/innovation.ts'
import { eastOf, frameAt, northOf, toVector, type Vector } from '../filter/local-frame.ts'
import { polarParameters } from '../parameters.ts'
import { polarErrors, replaceErrors, unknownVariances } from './covariance.ts'
import { isIdentifying } from './rank.ts'
import type { Sensor, Site } from './sensor.ts'

const { mostSigmas, leastRangeMetres, maxRangeMetres, leastMoveMetres, fixedAfterMs } = polarParameters

export function learnSite(
  sensor: Sensor,
  { latDegrees, lonDegrees }: Pick<Site, 'latDegrees' | 'lonDegrees'>,
  receivedAtMs: number,
): void {
  const { site } = sensor
  if (site && receivedAtMs - site.sinceMs >= fixedAfterMs) site.isFixed = true
  if (site && site.latDegrees === latDegrees && site.lonDegrees === lonDegrees) return
  const place = toVector(latDegrees, lonDegrees)
  if (site) {
    const { east, north } = fromSite(site, place)
    if (Math.hypot(east, north) < leastMoveMetres) return
    forgetPolarErrors(sensor)
  }
  sensor.site = { ...place, latDegrees, lonDegrees, sinceMs: receivedAtMs, isFixed: site === undefined }
}

/**
 * With each position: until the sensor is compared where it stands, its errors are supposed to be at most some times
 * what it states, at each of its targets.
 */
export function boundPolarErrors(sensor: Sensor, { place, variance }: Measured, receivedAtMs: number): void {
  const { site, covariance } = sensor
  if (!site) return
  const { metres } = fromSite(site, place)
  if (metres > maxRangeMetres) {
    site.isFixed = false
    site.sinceMs = receivedAtMs
  }
  if (sensor.comparedAtMs > site.sinceMs) return
  const metresSquared = mostSigmas ** 2 * variance
  const metresPerDegree = metres * (Math.PI / 180)
  covariance[3][3] = Math.min(covariance[3][3], metresSquared / metresPerDegree ** 2)
  covariance[4][4] = Math.min(covariance[4][4], metresSquared)
}

/** Undefined if the sensor has no errors of azimuth and range. */
export function findPolarSite(sensor: Sensor): Site | undefined {
  const { site, wasOutranked } = sensor
  return site?.isFixed && (wasOutranked || !isIdentifying(sensor)) ? site : undefined
}

/** `metres` is the range. A target right above the sensor has no bearing: an error of the range does less there. */
export function fromSite(
  site: Site,
  place: Vector,
  frame = frameAt(place),
): { east: number; north: number; metres: number } {
  const east = eastOf(frame, site, place)
  const north = northOf(frame, site, place)
  return { east, north, metres: Math.max(Math.sqrt(east * east + north * north), leastRangeMetres) }
}

function forgetPolarErrors(sensor: Sensor): void {
  sensor.azimuthDegrees = 0
  sensor.rangeMetres = 0
  replaceErrors(sensor.covariance, polarErrors, unknownVariances)
}
