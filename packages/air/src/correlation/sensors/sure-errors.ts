/**
 * What is known for sure of the errors of a sensor, for its owner.
 * In: a sensor. Out: the errors that are known well enough, and too large to be nothing.
 */
import type { Sensor } from './sensor.ts'

export interface SensorErrors {
  clockOffsetSeconds?: number
  placeOffset?: { eastMetres: number; northMetres: number }
}

export function toErrors(sensor: Sensor): SensorErrors {
  const { offsetSeconds, eastMetres, northMetres } = sensor
  const isClockKnown = isClockSure(sensor) && Math.abs(offsetSeconds) > shownSigmas * sureSeconds
  const isPlaceKnown = isPlaceSure(sensor) && Math.hypot(eastMetres, northMetres) > shownSigmas * sureMetres
  return {
    ...(isClockKnown && { clockOffsetSeconds: offsetSeconds }),
    ...(isPlaceKnown && { placeOffset: { eastMetres, northMetres } }),
  }
}

export function isClockSure({ covariance }: Sensor): boolean {
  return covariance.time < sureSeconds ** 2
}

export function isPlaceSure({ covariance }: Sensor): boolean {
  return covariance.east + covariance.north < 2 * sureMetres ** 2
}

const sureSeconds = 0.25
const sureMetres = 15
const shownSigmas = 2
