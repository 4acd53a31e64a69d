/**
 * Makes the measurement of the filter from a reported position.
 * In: a standard position, its corrected place, and the corrected time of its report. Out: the time of the measurement,
 * the place, the velocity and their variances, within sensible limits: accuracies from 0 to the end of the doubles are
 * valid in a report.
 */
import type { StandardPosition } from '../../standard/standard-position.ts'
import { accuracyParameters, turnParameters } from '../parameters.ts'
import type { Measured, MeasuredVelocity } from './innovation.ts'
import { frameAt, toSpace, type Vector } from './local-frame.ts'

const {
  sigmasOfAccuracy,
  positionFloorMetres,
  derivedPositionFloorMetres,
  positionCeilingMetres,
  velocityFloorMetresPerSecond,
  velocityDefaultMetresPerSecond,
} = accuracyParameters
/** Faster reports are errors of the sensor. */
const maxSpeedMetresPerSecond = 1_500

export function toMeasured(position: StandardPosition, reportMs: number, place: Vector): Measured {
  const { metres, provenance } = position.accuracy
  const floor = provenance === 'given' ? positionFloorMetres : derivedPositionFloorMetres
  const sigma = Math.min(Math.max(metres / sigmasOfAccuracy, floor), positionCeilingMetres)
  const velocity = toMeasuredVelocity(position, place)
  return { timeMs: reportMs - (position.ageMs ?? 0), place, variance: sigma * sigma, velocity }
}

function toMeasuredVelocity(
  { groundVelocity, ageMs = 0 }: StandardPosition,
  place: Vector,
): MeasuredVelocity | undefined {
  const east = groundVelocity?.eastMetresPerSecond
  const north = groundVelocity?.northMetresPerSecond
  if (east === undefined || north === undefined) return undefined
  if (!(east * east + north * north < maxSpeedMetresPerSecond ** 2)) return undefined
  const stated = groundVelocity?.horizontalAccuracyMetresPerSecond
  const sigma = stated === undefined ? velocityDefaultMetresPerSecond : stated / sigmasOfAccuracy
  const limited = Math.max(sigma, velocityFloorMetresPerSecond)
  // Between the times of the velocity and the position, the target may have changed it.
  const apartSeconds = Math.abs((groundVelocity?.ageMs ?? 0) - ageMs) / 1_000
  const variance = limited * limited + turnParameters.manoeuvreNoise * apartSeconds
  return { vector: toSpace(frameAt(place), east, north), variance: Math.min(variance, maxSpeedMetresPerSecond ** 2) }
}
