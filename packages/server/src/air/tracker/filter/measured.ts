/**
 * Makes the measurement of the filter from a reported position.
 * In: a standard position and its corrected time. Out: its place, its velocity and their variances, within sensible limits:
 * accuracies from 0 to the end of the doubles are valid in a report.
 */
import type { StandardPosition } from '../../../standard/standard-position.ts'
import { accuracyParameters } from '../parameters.ts'
import { frameAt, toVector, type Vector } from './local-frame.ts'
import { type Measured, type MeasuredVelocity, toSpace } from './motion.ts'

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

export function toMeasured(position: StandardPosition, timeMs: number): Measured {
  const place = toVector(position.latDegrees, position.lonDegrees)
  const { metres, provenance } = position.accuracy
  const floor = provenance === 'given' ? positionFloorMetres : derivedPositionFloorMetres
  const sigma = Math.min(Math.max(metres / sigmasOfAccuracy, floor), positionCeilingMetres)
  const velocity = toMeasuredVelocity(position, place)
  return { timeMs, place, variance: sigma * sigma, velocity }
}

function toMeasuredVelocity({ groundVelocity }: StandardPosition, place: Vector): MeasuredVelocity | undefined {
  const east = groundVelocity?.eastMetresPerSecond
  const north = groundVelocity?.northMetresPerSecond
  if (east === undefined || north === undefined) return undefined
  if (!(east * east + north * north < maxSpeedMetresPerSecond ** 2)) return undefined
  const stated = groundVelocity?.horizontalAccuracyMetresPerSecond
  const sigma = stated === undefined ? velocityDefaultMetresPerSecond : stated / sigmasOfAccuracy
  const limited = Math.min(Math.max(sigma, velocityFloorMetresPerSecond), maxSpeedMetresPerSecond)
  return { vector: toSpace(frameAt(place), east, north), variance: limited * limited }
}
