/**
 * Learns how far the clock and the place of a sensor are off, from targets that several sensors report: one Kalman
 * filter per sensor (state: offset of the clock, and of the place to the east and to the north; random walk).
 * In: a position of one sensor beside the track that has the clock and place of another. Out: the offsets of the first
 * one change. A comparison measures the difference of two sensors only, so one of them is the reference: the one that
 * outranks the other, else the better known one.
 */
import { type ErrorCovariance, noErrors, sumErrors, toErrorCovariance } from '../filter/error-covariance.ts'
import { biasParameters, clockParameters } from '../parameters.ts'
import { outranks } from './rank.ts'
import type { Sensor } from './sensor.ts'

const { unknownOffsetSeconds, knownOffsetSeconds, offsetDrift } = clockParameters
const { unknownMetres, knownMetres, metresDrift } = biasParameters
const maxSurpriseSigmas = 3

/** What a position of one sensor has of these errors that one of the other has not. */
export function errorsBetween(a: Sensor, b: Sensor): Readonly<ErrorCovariance> {
  return a === b ? noErrors : sumErrors(a.covariance, b.covariance)
}

/** Where a position of the sensor is, relative to the prediction of a track. */
export interface Comparison {
  /** The direction of the track. */
  alongEast: number
  alongNorth: number
  speedMetresPerSecond: number
  alongMetres: number
  acrossMetres: number
  /** Of the difference, including what the sensors' own errors add. */
  alongVariance: number
  acrossVariance: number
}

/**
 * Learns from a position of `sensor` how it differs from `reference`, whose clock and place the track has. The
 * reference is not corrected: its tracks were made with its old errors, and would show the same difference again.
 */
export function compareSensors(sensor: Sensor, reference: Sensor, comparison: Comparison, receivedAtMs: number): void {
  const isFirst = sensor.comparedAtMs === 0 && reference.comparedAtMs === 0
  drift(sensor, receivedAtMs)
  drift(reference, receivedAtMs)
  if (isFirst || (outranks(reference, sensor) && reference.covariance.time > knownOffsetSeconds ** 2)) {
    becomeReference(reference, sensor)
  }
  if (outranks(sensor, reference) || reference.covariance.time > sensor.covariance.time) return
  const { alongEast, alongNorth, speedMetresPerSecond, alongMetres, acrossMetres } = comparison
  const along = [-speedMetresPerSecond, alongEast, alongNorth] as const
  correct(sensor, along, alongMetres, comparison.alongVariance)
  correct(sensor, [0, -alongNorth, alongEast], acrossMetres, comparison.acrossVariance)
  const { covariance } = sensor
  covariance.time = Math.max(covariance.time, knownOffsetSeconds ** 2)
  covariance.east = Math.max(covariance.east, knownMetres ** 2)
  covariance.north = Math.max(covariance.north, knownMetres ** 2)
}

/**
 * Its own errors become those of the account: what was uncertain of it is uncertain of the other. With each comparison
 * that is at least what a known sensor has: comparisons with the track of one target have errors in common, so many of
 * them tell less than as many independent ones.
 */
function becomeReference(reference: Sensor, sensor: Sensor): void {
  sensor.covariance = sumErrors(sensor.covariance, reference.covariance)
  reference.covariance = toErrorCovariance(knownOffsetSeconds ** 2, knownMetres ** 2)
}

/**
 * A scalar measurement of the three errors, of which the coefficients are given. `total` is the variance of the
 * innovation.
 */
function correct(
  sensor: Sensor,
  [t, e, n]: readonly [number, number, number],
  innovation: number,
  total: number,
): void {
  const { covariance: p } = sensor
  const time = p.time * t + p.timeEast * e + p.timeNorth * n
  const east = p.timeEast * t + p.east * e + p.eastNorth * n
  const north = p.timeNorth * t + p.eastNorth * e + p.north * n
  const own = t * time + e * east + n * north
  // The gate counts the errors of the sensor as independent.
  const variance = Math.max(total, own * leastNoiseFactor)
  const limit = maxSurpriseSigmas * Math.sqrt(variance)
  const surprise = Math.min(Math.max(innovation, -limit), limit) / variance
  sensor.offsetSeconds += time * surprise
  sensor.eastMetres += east * surprise
  sensor.northMetres += north * surprise
  p.time -= (time * time) / variance
  p.timeEast -= (time * east) / variance
  p.timeNorth -= (time * north) / variance
  p.east -= (east * east) / variance
  p.eastNorth -= (east * north) / variance
  p.north -= (north * north) / variance
}

const leastNoiseFactor = 1.02

function drift(sensor: Sensor, receivedAtMs: number): void {
  const seconds = Math.max(0, (receivedAtMs - sensor.comparedAtMs) / 1_000)
  const { covariance, comparedAtMs } = sensor
  if (comparedAtMs > 0) {
    covariance.time = grow(covariance.time, offsetDrift * seconds, 2 * unknownOffsetSeconds ** 2)
    covariance.east = grow(covariance.east, metresDrift * seconds, 2 * unknownMetres ** 2)
    covariance.north = grow(covariance.north, metresDrift * seconds, 2 * unknownMetres ** 2)
  }
  sensor.comparedAtMs = receivedAtMs
}

function grow(variance: number, by: number, most: number): number {
  return variance < most ? Math.min(variance + by, most) : variance
}
