/**
 * One axis of a Kalman filter with the state position and velocity.
 * In: the covariance, the elapsed time, the innovation of a measurement. Out: the changed covariance, and the change of the state.
 * Sources: see `motion.ts`.
 */

export interface AxisCovariance {
  position: number
  /** Between position and velocity. */
  mixed: number
  velocity: number
}

export interface Change {
  position: number
  velocity: number
}

/** The variance of the position after (or before, if negative) the seconds. */
export function predictedVariance(
  { position, mixed, velocity }: AxisCovariance,
  seconds: number,
  noise: number,
): number {
  const elapsed = Math.abs(seconds)
  return position + 2 * seconds * mixed + seconds * seconds * velocity + (noise * elapsed * elapsed * elapsed) / 3
}

export function predictAxis(axis: AxisCovariance, seconds: number, noise: number): void {
  axis.position = predictedVariance(axis, seconds, noise)
  axis.mixed += seconds * axis.velocity + (noise * seconds * seconds) / 2
  axis.velocity += noise * seconds
}

/** Measured position: H = [1 lag]. `total` is the variance of the innovation. Joseph form. */
export function updateAxis(axis: AxisCovariance, lag: number, innovation: number, total: number): Change {
  const { position, mixed, velocity } = axis
  const gainP = (position + lag * mixed) / total
  const gainV = (mixed + lag * velocity) / total
  const noise = total - (position + 2 * lag * mixed + lag * lag * velocity)
  const a = 1 - gainP
  const b = -gainP * lag
  const c = -gainV
  const d = 1 - gainV * lag
  axis.position = a * a * position + 2 * a * b * mixed + b * b * velocity + gainP * gainP * noise
  axis.mixed = a * c * position + (a * d + b * c) * mixed + b * d * velocity + gainP * gainV * noise
  axis.velocity = c * c * position + 2 * c * d * mixed + d * d * velocity + gainV * gainV * noise
  return { position: gainP * innovation, velocity: gainV * innovation }
}

/** Measured velocity: H = [0 1]. Joseph form. */
export function updateVelocity(axis: AxisCovariance, innovation: number, noise: number): Change {
  const { position, mixed, velocity } = axis
  const total = velocity + noise
  const gainP = mixed / total
  const gainV = velocity / total
  const d = 1 - gainV
  axis.position = position - 2 * gainP * mixed + gainP * gainP * total
  axis.mixed = d * (mixed - gainP * velocity) + gainP * gainV * noise
  axis.velocity = d * d * velocity + gainV * gainV * noise
  return { position: gainP * innovation, velocity: gainV * innovation }
}
