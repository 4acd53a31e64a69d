/**
 * The statistical gate: does a position fit the prediction of a track?
 * In: an observation and a track. Out: the Mahalanobis distance over position, altitude and velocity, as far as both
 * are known, and whether it is below the chi-square bound; Bar-Shalom, Li, Kirubarajan (2001), 5.4 and 11.
 */
import type { StandardAltitude } from '../../standard/standard-position.ts'
import { verticalInnovationOf } from '../filter/climb.ts'
import { addErrors, type ErrorCovariance, noErrors, toErrorCovariance } from '../filter/error-covariance.ts'
import { type Innovation, innovationOf, type Measured } from '../filter/innovation.ts'
import { frameAt, toSpace } from '../filter/local-frame.ts'
import { accuracyParameters, clockParameters, gateParameters, reachParameters } from '../parameters.ts'
import { errorsBetween } from '../sensors/errors-at.ts'
import type { Sensor } from '../sensors/sensor.ts'
import { haveCommon } from '../targets/identifiers.ts'
import type { Target } from '../targets/target.ts'
import { isAnonymous, isAnonymousTarget } from './distinct.ts'
import type { Observation } from './observation.ts'

export interface Distance {
  /** Squared Mahalanobis distance. */
  squared: number
  isInside: boolean
  /** -2 ln of the likelihood in the horizontal plane, plus the terms of altitude and velocity. Less is better. */
  cost: number
  horizontalMetres: number
  verticalMetres: number | undefined
  /** Standard deviation that goes with `horizontalMetres`, the larger one of the two axes. */
  sigmaMetres: number
  innovation: Innovation
}

const { biasShareOfAccuracy, relayedBiasMetres } = accuracyParameters
const { unknownOffsetSeconds } = clockParameters

/** `reference` is the sensor whose clock and bias the estimate has. */
export function distanceTo(target: Target, reference: Sensor, observation: Observation): Distance {
  const { measured, sensor, reception, altitudeTimesMs } = observation
  const { altitudes, onGround } = reception.position
  const isRelayed =
    sensor === reference && isAnonymousTarget(reception.position.target.identifiers) && !isAnonymous(target)
  const uncertainty = isRelayed ? relayedUncertainty(measured) : uncertaintyBetween(measured, sensor, reference)
  return distanceBetween(target, measured, uncertainty, { altitudes, altitudeTimesMs, onGround })
}

/** The same, for two tracks: the newer one is the measurement. */
export function distanceBetweenTargets(
  older: Target,
  olderSensor: Sensor,
  newer: Target,
  newerSensor: Sensor,
): Distance {
  const { motion, track } = newer
  const { x, y, z, timeMs, along, across, eastMetresPerSecond, northMetresPerSecond } = motion
  const variance = (along.position + across.position) / 2
  const measured: Measured = { timeMs, place: { x, y, z }, variance, velocity: undefined }
  if (track.velocity && older.track.velocity) {
    const vector = toSpace(frameAt(motion), eastMetresPerSecond, northMetresPerSecond)
    measured.velocity = { vector, variance: (along.velocity + across.velocity) / 2 }
  }
  const uncertainty = uncertaintyOfPair(measured, older, olderSensor, newer, newerSensor)
  const { altitudes, altitudeTimesMs } = newer
  return distanceBetween(older, measured, uncertainty, { altitudes, altitudeTimesMs, onGround: track.onGround })
}

function uncertaintyOfPair(
  measured: Measured,
  older: Target,
  olderSensor: Sensor,
  newer: Target,
  newerSensor: Sensor,
): Readonly<ErrorCovariance> {
  if (olderSensor === newerSensor) {
    // One sensor may relay what a radar saw (TIS-B), a second or so old: its anonymous targets count as those of
    // another sensor.
    if (!isAnonymous(older) && !isAnonymous(newer)) return noErrors
    return relayedUncertainty(measured)
  }
  const uncertainty = uncertaintyBetween(measured, newerSensor, olderSensor)
  // Tracks of one address are one target with a wrong clock rather than two on one path.
  const isOneTarget = haveCommon(older.track.identifiers, newer.track.identifiers)
  return isOneTarget ? { ...uncertainty, time: Math.max(uncertainty.time, wrongClockVariance) } : uncertainty
}

const wrongClockVariance = (clockParameters.maxOffsetSeconds / 2) ** 2

/** Altitudes with their times, and whether the target is on the ground. */
interface Vertical {
  altitudes: readonly StandardAltitude[]
  altitudeTimesMs: readonly number[]
  onGround: boolean | undefined
}

/** Errors that the measurement has and the estimate, whose sensor is the reference, has not. */
export function uncertaintyBetween(
  { variance, place }: Measured,
  sensor: Sensor,
  reference: Sensor,
): Readonly<ErrorCovariance> {
  if (sensor === reference) return noErrors
  return addErrors(errorsBetween(sensor, reference, place), 0, biasShareOfAccuracy ** 2 * variance)
}

function distanceBetween(
  target: Target,
  measured: Measured,
  uncertainty: Readonly<ErrorCovariance>,
  { altitudes, altitudeTimesMs: measuredTimesMs, onGround }: Vertical,
): Distance {
  const innovation = innovationOf(target.motion, measured, uncertainty)
  const { along, across, alongVariance, acrossVariance } = innovation
  let squared = (along * along) / alongVariance + (across * across) / acrossVariance
  // What one side does not know neither helps nor hurts: it counts as much as it would on average.
  let unknown = 0
  let dimensions = 2
  if (measured.velocity) {
    const { velocityAlong, velocityAcross, velocityAlongVariance, velocityAcrossVariance } = innovation
    squared += velocityAlong ** 2 / velocityAlongVariance + velocityAcross ** 2 / velocityAcrossVariance
    dimensions += 2
  } else unknown += 2
  const { climb, altitudeTimesMs, altitudes: reported, track } = target
  const vertical = verticalInnovationOf(climb, reported, altitudeTimesMs, altitudes, measuredTimesMs)
  if (vertical) {
    squared += vertical.metres ** 2 / vertical.variance
    dimensions += 1
  } else unknown += 1
  if (onGround !== undefined && track.onGround !== undefined && onGround !== track.onGround) {
    squared += gateParameters.onGroundMismatch
  }
  return {
    squared,
    isInside: squared <= (gateParameters.bounds[dimensions - 1] ?? 0),
    cost: squared + unknown + Math.log(alongVariance * acrossVariance),
    horizontalMetres: Math.sqrt(along * along + across * across),
    verticalMetres: vertical && Math.abs(vertical.metres),
    sigmaMetres: Math.sqrt(Math.max(alongVariance, acrossVariance)),
    innovation,
  }
}

function relayedUncertainty({ variance }: Measured): ErrorCovariance {
  return toErrorCovariance(unknownOffsetSeconds ** 2, relayedBiasMetres ** 2 + biasShareOfAccuracy ** 2 * variance)
}

/** False if the target cannot have flown there, even with a bad clock: it is an impossible jump. */
export function isReachable(
  target: Target,
  { measured }: Observation,
  { horizontalMetres, sigmaMetres }: Distance,
): boolean {
  const { sigmas, accelerationMetresPerSecondSquared, maxSpeedMetresPerSecond, clockSeconds } = reachParameters
  const seconds = Math.abs(measured.timeMs - target.motion.timeMs) / 1_000
  const { velocity } = target.track
  const speed = velocity
    ? Math.hypot(velocity.eastMetresPerSecond, velocity.northMetresPerSecond)
    : reachParameters.unknownSpeedMetresPerSecond
  const manoeuvre = Math.min(
    (accelerationMetresPerSecondSquared / 2) * seconds * seconds,
    maxSpeedMetresPerSecond * seconds,
  )
  const noise = Math.min(
    sigmas * sigmaMetres,
    sigmas * Math.sqrt(measured.variance) + maxSpeedMetresPerSecond * (seconds + 1),
  )
  return horizontalMetres <= noise + manoeuvre + clockSeconds * speed
}
