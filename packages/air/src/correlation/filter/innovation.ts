/** Compares a measurement with what the filter expects. In: both. Out: the difference, and its variances. */
import { filterParameters, turnParameters } from '../parameters.ts'
import { predictedTurnVariance, predictedVariance } from './axis.ts'
import { acrossVarianceOf, alongVarianceOf, type ErrorCovariance } from './error-covariance.ts'
import type { Motion } from './estimate.ts'
import { eastOf, eastPart, frameAt, northOf, northPart, type Vector } from './local-frame.ts'
import { angleOf, changesPerSecond, leastSpeed, turnNoise, turnVariance, usualTurning } from './turning.ts'

const { alongNoise, acrossNoise } = filterParameters
const { manoeuvreNoise, maxTurnSeconds } = turnParameters

/** A position as measured, at its corrected time. Variances are per axis. */
export interface Measured {
  timeMs: number
  place: Vector
  variance: number
  velocity: MeasuredVelocity | undefined
}

export interface MeasuredVelocity {
  /** In space, so that it can be compared in any frame. */
  vector: Vector
  variance: number
}

/**
 * The difference between a measurement and the prediction, along and across the predicted velocity, and its variances.
 */
export interface Innovation {
  alongEast: number
  alongNorth: number
  along: number
  across: number
  alongVariance: number
  acrossVariance: number
  /** What of the variances is not of the estimate. */
  alongNoise: number
  acrossNoise: number
  velocityAlong: number
  velocityAcross: number
  velocityAlongVariance: number
  velocityAcrossVariance: number
}

/**
 * Compares a measurement with the estimate, carried to the time of the measurement.
 * `errors`: those of the clock and the place that the measurement has and the estimate has not.
 */
export function innovationOf(motion: Motion, measured: Measured, errors: Readonly<ErrorCovariance>): Innovation {
  const { along, across, turning, leftMetresPerSecondSquared: left } = motion
  const seconds = (measured.timeMs - motion.timeMs) / 1_000
  const frame = frameAt(motion)
  const { eastMetresPerSecond: vEast, northMetresPerSecond: vNorth } = motion
  const speed = Math.sqrt(vEast * vEast + vNorth * vNorth)
  const angle = angleOf(left, speed, seconds)
  const [sin, cos] = [Math.sin(angle / 2), Math.cos(angle / 2)]
  const east = eastOf(frame, motion, measured.place) - (vEast * cos - vNorth * sin) * seconds
  const north = northOf(frame, motion, measured.place) - (vEast * sin + vNorth * cos) * seconds
  const alongEast = speed > leastSpeed ? vEast / speed : 1
  const alongNorth = speed > leastSpeed ? vNorth / speed : 0
  const elapsed = Math.abs(seconds)
  const turned = Math.min(elapsed, maxTurnSeconds)
  const entering = (1 - turning) * usualTurning * (1 - Math.exp(-changesPerSecond * elapsed))
  const turns = turning + entering
  const alongQ = alongNoise + turns * (manoeuvreNoise - alongNoise)
  const leftQ = turns * turnNoise
  const positionNoise = measured.variance
  const alongErrors = alongVarianceOf(errors, alongEast, alongNorth, speed) + errors.time * along.velocity
  const acrossErrors = acrossVarianceOf(errors, alongEast, alongNorth) + errors.time * across.velocity
  const given = measured.velocity
  const givenEast = given ? eastPart(frame, given.vector) - vEast + seconds * left * alongNorth : 0
  const givenNorth = given ? northPart(frame, given.vector) - vNorth - seconds * left * alongEast : 0
  return {
    alongEast,
    alongNorth,
    along: east * alongEast + north * alongNorth,
    across: north * alongEast - east * alongNorth,
    alongVariance: predictedVariance(along, seconds, alongQ) + positionNoise + alongErrors,
    acrossVariance:
      predictedTurnVariance(across, seconds, turned, acrossNoise) +
      turned ** 4 * ((entering * turnVariance) / 4 + (leftQ * turned) / 20) +
      positionNoise +
      acrossErrors,
    alongNoise: positionNoise + alongErrors,
    acrossNoise: positionNoise + acrossErrors,
    velocityAlong: givenEast * alongEast + givenNorth * alongNorth,
    velocityAcross: givenNorth * alongEast - givenEast * alongNorth,
    velocityAlongVariance: given ? along.velocity + alongQ * elapsed + given.variance : 0,
    velocityAcrossVariance: given
      ? across.velocity +
        Math.sign(seconds) * 2 * turned * across.velocityTurn +
        acrossNoise * elapsed +
        turned ** 2 * (across.turn + entering * turnVariance + (leftQ * turned) / 3) +
        given.variance
      : 0,
  }
}
