/**
 * What is known for sure of the errors of a sensor, for its owner.
 * In: a sensor. Out: the errors that are known well enough, and too large to be nothing.
 */
import type { Sensor } from './sensor.ts'
import { findPolarSite } from './site.ts'

export interface SensorErrors {
  clockOffsetSeconds?: number
  placeOffset?: { eastMetres: number; northMetres: number }
  azimuthOffsetDegrees?: number
  rangeOffsetMetres?: number
}

export function toErrors(sensor: Sensor): SensorErrors {
  const { offsetSeconds, eastMetres, northMetres, azimuthDegrees, rangeMetres, covariance } = sensor
  const placeMetres = Math.hypot(eastMetres, northMetres)
  const placeVariance = (covariance[1][1] + covariance[2][2]) / 2
  const isPolar = findPolarSite(sensor) !== undefined
  return {
    ...(isKnown(offsetSeconds, covariance[0][0], leastSeconds) && { clockOffsetSeconds: offsetSeconds }),
    ...(isKnown(placeMetres, placeVariance, leastMetres) && { placeOffset: { eastMetres, northMetres } }),
    ...(isPolar && isKnown(azimuthDegrees, covariance[3][3], leastDegrees) && { azimuthOffsetDegrees: azimuthDegrees }),
    ...(isPolar && isKnown(rangeMetres, covariance[4][4], leastMetres) && { rangeOffsetMetres: rangeMetres }),
  }
}

function isKnown(offset: number, variance: number, least: number): boolean {
  return Math.abs(offset) > Math.max(least, knownSigmas * Math.sqrt(variance))
}

const leastSeconds = 0.5
const leastMetres = 30
const leastDegrees = 0.2
const knownSigmas = 4

export function isClockSure({ covariance }: Sensor): boolean {
  return covariance[0][0] < sureSeconds ** 2
}

export function isPlaceSure({ covariance }: Sensor): boolean {
  return covariance[1][1] + covariance[2][2] < 2 * sureMetres ** 2
}

const sureSeconds = 0.25
const sureMetres = 15
