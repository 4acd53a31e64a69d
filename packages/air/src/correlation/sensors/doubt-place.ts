/**
 * Doubts where a sensor has its targets.
 * In: a sensor, and how far one of its targets is from where others have it. Out: its place, azimuth and range are less
 * certain by that.
 */
import type { Vector } from '../filter/local-frame.ts'
import { polarParameters } from '../parameters.ts'
import type { Sensor } from './sensor.ts'
import { findPolarSite, fromSite } from './site.ts'

const { maxDegrees } = polarParameters

export function doubtPlace(sensor: Sensor, metres: number, place: Vector): void {
  const { covariance } = sensor
  covariance[1][1] = Math.max(covariance[1][1], metres * metres)
  covariance[2][2] = Math.max(covariance[2][2], metres * metres)
  const site = findPolarSite(sensor)
  if (!site) return
  const degrees = Math.min(maxDegrees, (metres / fromSite(site, place).metres) * (180 / Math.PI))
  covariance[3][3] = Math.max(covariance[3][3], degrees * degrees)
  covariance[4][4] = Math.max(covariance[4][4], metres * metres)
}
