/**
 * The horizontal filter of a track: an interacting multiple model of two Kalman filters. In the straight one the
 * velocity nearly stays; in the other one the target turns, with an acceleration across the velocity that fades, or
 * changes its speed.
 * In: measured positions, with a velocity if a sensor gives one. Out: the estimate, and the innovation of a
 * measurement.
 *
 * Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation" (2001): prediction and process
 * noise 6.2.2 and 6.2.3, update 5.2.3, interacting multiple model 11.6.6; the fading acceleration is Singer's, IEEE
 * Trans. AES 6 (1970). The position is an n-vector; errors are in the tangent plane along and across the estimated
 * velocity, and the two axes are independent. The axes turn with the velocity. A measurement older than the estimate is
 * used with H = [1 T], T < 0: the estimate stays at its time.
 */
import { filterParameters, turnParameters } from '../parameters.ts'
import { predictAxis, predictTurn } from './axis.ts'
import type { Motion } from './estimate.ts'
import type { Innovation, Measured } from './innovation.ts'
import { eastOf, eastPart, frameAt, move, northOf, northPart, toSpace, type Vector } from './local-frame.ts'
import { blendAxis, blendTurn, mix, toApart } from './mixture.ts'
import { carry, correct, type Seen } from './model.ts'
import { turnNoise, turnVariance, usualTurning } from './turning.ts'

const { alongNoise, acrossNoise } = filterParameters
const { fadesInSeconds, manoeuvreNoise, maxTurnSeconds, leastProbability } = turnParameters

export function startMotion({ timeMs, place, variance, velocity }: Measured, unknownVelocity: number): Motion {
  const along = { position: variance, mixed: 0, velocity: velocity?.variance ?? unknownVelocity ** 2 }
  const across = { ...along, positionTurn: 0, velocityTurn: 0, turn: 0 }
  const frame = frameAt(place)
  const velocityEast = velocity ? eastPart(frame, velocity.vector) : 0
  const velocityNorth = velocity ? northPart(frame, velocity.vector) : 0
  const model = { east: 0, north: 0, velocityEast, velocityNorth, left: 0 }
  return {
    timeMs,
    x: place.x,
    y: place.y,
    z: place.z,
    eastMetresPerSecond: velocityEast,
    northMetresPerSecond: velocityNorth,
    leftMetresPerSecondSquared: 0,
    along,
    across: { ...across, turn: usualTurning * turnVariance },
    turning: usualTurning,
    straight: { ...model, along: { ...along }, across: { ...across } },
    turn: { ...model, along: { ...along }, across: { ...across, turn: turnVariance } },
  }
}

/** Carries the estimate forward. */
export function predict(motion: Motion, toMs: number): void {
  const seconds = (toMs - motion.timeMs) / 1_000
  if (seconds <= 0) return
  mix(motion, seconds)
  const { straight, turn } = motion
  carry(straight, seconds)
  carry(turn, seconds)
  predictAxis(straight.along, seconds, alongNoise)
  predictAxis(straight.across, seconds, acrossNoise)
  predictAxis(turn.along, seconds, manoeuvreNoise)
  const turns = Math.min(seconds, maxTurnSeconds)
  predictTurn(turn.across, turns, Math.exp(-seconds / fadesInSeconds), turnNoise)
  if (seconds > turns) predictAxis(turn.across, seconds - turns, manoeuvreNoise)
  motion.timeMs = toMs
  combine(motion)
}

/**
 * Corrects the estimate by the innovation of a measurement. The time of the estimate becomes that of the measurement,
 * unless the measurement is older.
 */
export function update(motion: Motion, measured: Measured, innovation: Innovation): void {
  predict(motion, measured.timeMs)
  const { straight, turn, turning } = motion
  const frame = frameAt(motion)
  const lag = Math.min(0, (measured.timeMs - motion.timeMs) / 1_000)
  const seen: Seen = {
    east: eastOf(frame, motion, measured.place),
    north: northOf(frame, motion, measured.place),
    lag,
    innovation,
    velocity: measured.velocity && {
      east: eastPart(frame, measured.velocity.vector),
      north: northPart(frame, measured.velocity.vector),
      variance: measured.velocity.variance,
    },
  }
  const costOfStraight = correct(straight, seen, false)
  const costOfTurn = correct(turn, seen, true)
  const ratio = ((1 - turning) / turning) * Math.exp((costOfTurn - costOfStraight) / 2)
  motion.turning = Math.min(Math.max(1 / (1 + ratio), leastProbability), 1 - leastProbability)
  combine(motion)
}

/** For a target that manoeuvres more than the models expect: the factor widens the uncertainty of the estimate. */
export function widen(motion: Motion, factor: number): void {
  for (const { along, across } of [motion, motion.straight, motion.turn]) {
    for (const axis of [along, across]) {
      axis.position *= factor
      axis.mixed *= factor
      axis.velocity *= factor
    }
    across.positionTurn *= factor
    across.velocityTurn *= factor
  }
}

/** The place is less certain, by variances along and across the velocity. */
export function doubt(motion: Motion, along: number, across: number): void {
  for (const one of [motion, motion.straight, motion.turn]) {
    one.along.position += along
    one.across.position += across
  }
}

/** The target is at this place; its velocity stays. */
export function restartAt(motion: Motion, { x, y, z }: Vector, timeMs: number, variance: number): void {
  Object.assign(motion, { x, y, z, timeMs })
  for (const { along, across } of [motion, motion.straight, motion.turn]) {
    for (const axis of [along, across]) {
      axis.position = variance
      axis.mixed = 0
    }
    across.positionTurn = 0
  }
  for (const model of [motion.straight, motion.turn]) {
    model.east = 0
    model.north = 0
  }
}

/** The estimate of both models together. */
function combine(motion: Motion): void {
  const { straight, turn, turning } = motion
  const east = straight.east + turning * (turn.east - straight.east)
  const north = straight.north + turning * (turn.north - straight.north)
  const frame = frameAt(motion)
  move(motion, frame, east, north)
  const moved = frameAt(motion)
  for (const model of [straight, turn]) {
    model.east -= east
    model.north -= north
    // A velocity keeps its direction in space; its east and north parts change with the meridian.
    const velocity = toSpace(frame, model.velocityEast, model.velocityNorth)
    model.velocityEast = eastPart(moved, velocity)
    model.velocityNorth = northPart(moved, velocity)
  }
  motion.eastMetresPerSecond = straight.velocityEast + turning * (turn.velocityEast - straight.velocityEast)
  motion.northMetresPerSecond = straight.velocityNorth + turning * (turn.velocityNorth - straight.velocityNorth)
  motion.leftMetresPerSecondSquared = turning * turn.left
  const apart = toApart(motion)
  Object.assign(motion.along, straight.along)
  Object.assign(motion.across, straight.across)
  blendAxis(motion.along, turn.along, turning, apart.along, apart.velocityAlong)
  blendTurn(motion.across, turn.across, turning, apart)
}
