/**
 * The horizontal Kalman filter of a track: position and velocity under white-noise acceleration.
 * In: measured positions, with a velocity if a sensor gives one. Out: the estimate, and the innovation of a measurement.
 *
 * Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation" (2001): prediction and process noise
 * 6.2.2 (F = [1 T; 0 1], Q = q [T³/3 T²/2; T²/2 T]), update 5.2.3 with the Joseph form 5.2.3-18. The position is an n-vector; errors
 * are in the tangent plane along and across the estimated velocity, and the two axes are independent. The axes turn with the velocity.
 * A measurement older than the estimate is used with H = [1 T], T < 0: the estimate stays at its time.
 */
import { filterParameters } from '../parameters.ts'
import { type AxisCovariance, type Change, predictAxis, predictedVariance, updateAxis, updateVelocity } from './axis.ts'
import { eastOf, frameAt, type LocalFrame, move, northOf, type Vector } from './local-frame.ts'

export interface Motion extends Vector {
  timeMs: number
  eastMetresPerSecond: number
  northMetresPerSecond: number
  along: AxisCovariance
  across: AxisCovariance
}

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

/** The difference between a measurement and the prediction, along and across the predicted velocity, and its variances. */
export interface Innovation {
  alongEast: number
  alongNorth: number
  along: number
  across: number
  alongVariance: number
  acrossVariance: number
  velocityAlong: number
  velocityAcross: number
  velocityAlongVariance: number
  velocityAcrossVariance: number
}

export function startMotion({ timeMs, place, variance, velocity }: Measured, unknownVelocity: number): Motion {
  const axis = { position: variance, mixed: 0, velocity: velocity?.variance ?? unknownVelocity ** 2 }
  const frame = frameAt(place)
  return {
    timeMs,
    x: place.x,
    y: place.y,
    z: place.z,
    eastMetresPerSecond: velocity ? eastPart(frame, velocity.vector) : 0,
    northMetresPerSecond: velocity ? northPart(frame, velocity.vector) : 0,
    along: { ...axis },
    across: { ...axis },
  }
}

/**
 * Compares a measurement with the estimate, carried to the time of the measurement.
 * `clockVariance` (s²) is the uncertainty of the time between this measurement and the estimate.
 */
export function innovationOf(
  motion: Motion,
  measured: Measured,
  clockVariance: number,
  biasVariance: number,
): Innovation {
  const { eastMetresPerSecond: vEast, northMetresPerSecond: vNorth, along, across } = motion
  const seconds = (measured.timeMs - motion.timeMs) / 1_000
  const frame = frameAt(motion)
  const east = eastOf(frame, motion, measured.place) - vEast * seconds
  const north = northOf(frame, motion, measured.place) - vNorth * seconds
  const speed = Math.sqrt(vEast * vEast + vNorth * vNorth)
  const alongEast = speed > 0.5 ? vEast / speed : 1
  const alongNorth = speed > 0.5 ? vNorth / speed : 0
  const given = measured.velocity
  const givenEast = given ? eastPart(frame, given.vector) - vEast : 0
  const givenNorth = given ? northPart(frame, given.vector) - vNorth : 0
  const noise = measured.variance + biasVariance
  const { alongNoise, acrossNoise } = filterParameters
  const elapsed = Math.abs(seconds)
  return {
    alongEast,
    alongNorth,
    along: east * alongEast + north * alongNorth,
    across: north * alongEast - east * alongNorth,
    alongVariance:
      predictedVariance(along, seconds, alongNoise) + noise + clockVariance * (speed * speed + along.velocity),
    acrossVariance: predictedVariance(across, seconds, acrossNoise) + noise + clockVariance * across.velocity,
    velocityAlong: givenEast * alongEast + givenNorth * alongNorth,
    velocityAcross: givenNorth * alongEast - givenEast * alongNorth,
    velocityAlongVariance: given ? along.velocity + alongNoise * elapsed + given.variance : 0,
    velocityAcrossVariance: given ? across.velocity + acrossNoise * elapsed + given.variance : 0,
  }
}

/** Carries the estimate forward. */
export function predict(motion: Motion, toMs: number): void {
  const seconds = (toMs - motion.timeMs) / 1_000
  if (seconds <= 0) return
  const frame = frameAt(motion)
  const { eastMetresPerSecond, northMetresPerSecond } = motion
  moveWithVelocity(motion, frame, eastMetresPerSecond * seconds, northMetresPerSecond * seconds)
  predictAxis(motion.along, seconds, filterParameters.alongNoise)
  predictAxis(motion.across, seconds, filterParameters.acrossNoise)
  motion.timeMs = toMs
}

/**
 * Corrects the estimate by the innovation of a measurement. The time of the estimate becomes that of the measurement, unless the
 * measurement is older.
 */
export function update(motion: Motion, measured: Measured, innovation: Innovation): void {
  predict(motion, measured.timeMs)
  const { alongEast, alongNorth } = innovation
  const lag = Math.min(0, (measured.timeMs - motion.timeMs) / 1_000)
  const alongChange = updateAxis(motion.along, lag, innovation.along, innovation.alongVariance)
  const acrossChange = updateAxis(motion.across, lag, innovation.across, innovation.acrossVariance)
  if (measured.velocity) {
    // The correction by the position has changed the velocity from which the difference was taken.
    const along = innovation.velocityAlong - alongChange.velocity
    const across = innovation.velocityAcross - acrossChange.velocity
    const { variance } = measured.velocity
    addChange(alongChange, updateVelocity(motion.along, along, variance - lag * filterParameters.alongNoise))
    addChange(acrossChange, updateVelocity(motion.across, across, variance - lag * filterParameters.acrossNoise))
  }
  motion.eastMetresPerSecond += alongChange.velocity * alongEast - acrossChange.velocity * alongNorth
  motion.northMetresPerSecond += alongChange.velocity * alongNorth + acrossChange.velocity * alongEast
  moveWithVelocity(
    motion,
    frameAt(motion),
    alongChange.position * alongEast - acrossChange.position * alongNorth,
    alongChange.position * alongNorth + acrossChange.position * alongEast,
  )
}

/** For a target that manoeuvres more than the model expects: the factor widens the uncertainty of the estimate. */
export function widen({ along, across }: Motion, factor: number): void {
  for (const axis of [along, across]) {
    axis.position *= factor
    axis.mixed *= factor
    axis.velocity *= factor
  }
}

function addChange(to: Change, change: Change): void {
  to.position += change.position
  to.velocity += change.velocity
}

/** The velocity keeps its direction in space; its east and north parts change with the meridian. */
function moveWithVelocity(motion: Motion, frame: LocalFrame, eastMetres: number, northMetres: number): void {
  const velocity = toSpace(frame, motion.eastMetresPerSecond, motion.northMetresPerSecond)
  move(motion, frame, eastMetres, northMetres)
  const moved = frameAt(motion)
  motion.eastMetresPerSecond = eastPart(moved, velocity)
  motion.northMetresPerSecond = northPart(moved, velocity)
}

export function toSpace(frame: LocalFrame, east: number, north: number): Vector {
  return {
    x: east * frame.eastX + north * frame.northX,
    y: east * frame.eastY + north * frame.northY,
    z: north * frame.northZ,
  }
}

function eastPart(frame: LocalFrame, { x, y }: Vector): number {
  return x * frame.eastX + y * frame.eastY
}

function northPart(frame: LocalFrame, { x, y, z }: Vector): number {
  return x * frame.northX + y * frame.northY + z * frame.northZ
}
