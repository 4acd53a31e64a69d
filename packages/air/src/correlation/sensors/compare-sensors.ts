/**
 * Learns how far the clock and the place of a sensor are off, and the azimuth and the range of one that measures from
 * where it stands, from targets that several sensors report: one Kalman filter per sensor (random walk).
 * In: a position of one sensor beside the track that has the clock and place of another. Out: the errors of the first
 * one change. A comparison measures the difference of two sensors only, so one of them is the reference: the one that
 * outranks the other, else the better known one.
 */
import type { Vector } from '../filter/local-frame.ts'
import { biasParameters, clockParameters, polarParameters } from '../parameters.ts'
import {
  dot,
  errorIndices,
  errorNames,
  knownVariances,
  ordinaryErrors,
  type PerError,
  replaceErrors,
  times,
  unknownVariances,
} from './covariance.ts'
import { type Effects, effectsAt } from './errors-at.ts'
import { outranks } from './rank.ts'
import type { Sensor } from './sensor.ts'

const { offsetDrift } = clockParameters
const { metresDrift } = biasParameters
const maxSurpriseSigmas = 3
/** Of the variance that the errors of a sensor make: no measurement is without noise of its own. */
const leastNoiseFactor = 1.02
/** Of the variances, per second. */
const growths: Readonly<PerError> = [offsetDrift, metresDrift, metresDrift, polarParameters.degreesDrift, metresDrift]

/** Where a position of the sensor is, relative to the prediction of a track. */
export interface Comparison {
  place: Vector
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
  const isOutranked = outranks(reference, sensor)
  drift(sensor, receivedAtMs)
  drift(reference, receivedAtMs)
  if (isFirst || (isOutranked && reference.covariance[0][0] > knownVariances[0])) {
    becomeReference(reference, sensor)
  }
  if (outranks(sensor, reference) || reference.covariance[0][0] > sensor.covariance[0][0]) return
  if (isOutranked && sensor.site && !sensor.wasOutranked) {
    sensor.wasOutranked = true
    // The variances of this comparison are possibly those without azimuth and range.
    return
  }
  const { covariance } = sensor
  const least = errorIndices.map((index) => Math.min(covariance[index][index], knownVariances[index]))
  const { alongEast, alongNorth, speedMetresPerSecond, alongMetres, acrossMetres } = comparison
  const effects = effectsAt(sensor, comparison.place)
  const along = towards(effects, alongEast, alongNorth)
  along[0] = -speedMetresPerSecond
  // Two equals that correct each other would turn away together: nothing says which one is right.
  const learnt = isOutranked ? errorIndices : ordinaryErrors
  correct(sensor, learnt, along, alongMetres, comparison.alongVariance)
  correct(sensor, learnt, towards(effects, -alongNorth, alongEast), acrossMetres, comparison.acrossVariance)
  for (const index of errorIndices) covariance[index][index] = Math.max(covariance[index][index], least[index] ?? 0)
}

/**
 * Its own errors become those of the account: what was uncertain of it is uncertain of the other. With each comparison
 * that is at least what a known sensor has: comparisons with the track of one target have errors in common, so many of
 * them tell less than as many independent ones. Azimuth and range are no errors of the account.
 */
function becomeReference(reference: Sensor, sensor: Sensor): void {
  for (const row of ordinaryErrors) {
    for (const column of ordinaryErrors) sensor.covariance[row][column] += reference.covariance[row][column]
  }
  replaceErrors(reference.covariance, ordinaryErrors, knownVariances)
}

function towards({ east, north }: Effects, alongEast: number, alongNorth: number): PerError {
  const part = (index: (typeof errorIndices)[number]) => alongEast * east[index] + alongNorth * north[index]
  return [part(0), part(1), part(2), part(3), part(4)]
}

/**
 * A scalar measurement of the errors, of which `by` has the coefficients. `total` is the variance of the innovation.
 * Those that are not learnt stay as uncertain as they are (Schmidt-Kalman).
 */
function correct(
  sensor: Sensor,
  learnt: readonly number[],
  by: Readonly<PerError>,
  innovation: number,
  total: number,
): void {
  const { covariance } = sensor
  const gains = times(covariance, by)
  // The gate counts the errors of the sensor as independent.
  const variance = Math.max(total, dot(by, gains) * leastNoiseFactor)
  const limit = maxSurpriseSigmas * Math.sqrt(variance)
  const surprise = Math.min(Math.max(innovation, -limit), limit) / variance
  for (const row of errorIndices) {
    const isLearnt = learnt.includes(row)
    if (isLearnt) sensor[errorNames[row]] += gains[row] * surprise
    for (const column of errorIndices) {
      if (isLearnt || learnt.includes(column)) covariance[row][column] -= (gains[row] * gains[column]) / variance
    }
  }
}

function drift(sensor: Sensor, receivedAtMs: number): void {
  const seconds = Math.max(0, (receivedAtMs - sensor.comparedAtMs) / 1_000)
  if (sensor.comparedAtMs > 0) {
    for (const index of errorIndices) {
      const row = sensor.covariance[index]
      const most = 2 * unknownVariances[index]
      if (row[index] < most) row[index] = Math.min(row[index] + growths[index] * seconds, most)
    }
  }
  sensor.comparedAtMs = receivedAtMs
}
