/**
 * One axis of a Kalman filter: position and velocity, and on the axis across the velocity also the acceleration of a
 * turn, which fades.
 * In: the covariance, the elapsed time, the innovation of a measurement. Out: the changed covariance, and the change of
 * the state. Sources: see `motion.ts`.
 */

export interface AxisCovariance {
  position: number
  /** Between position and velocity. */
  mixed: number
  velocity: number
}

/** With the acceleration of a turn. */
export interface TurnCovariance extends AxisCovariance {
  positionTurn: number
  velocityTurn: number
  turn: number
}

export interface Change {
  position: number
  velocity: number
}

export interface TurnChange extends Change {
  turn: number
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

/** The same across a turn that goes on for some of the seconds. */
export function predictedTurnVariance(axis: TurnCovariance, seconds: number, turns: number, noise: number): number {
  const { positionTurn, velocityTurn, turn } = axis
  // By the acceleration: so much of the place, and of the velocity from then on.
  const half = turns * (Math.abs(seconds) - turns / 2)
  return (
    predictedVariance(axis, seconds, noise) + 2 * half * (positionTurn + seconds * velocityTurn) + half * half * turn
  )
}

export function predictAxis(axis: AxisCovariance, seconds: number, noise: number): void {
  axis.position = predictedVariance(axis, seconds, noise)
  axis.mixed += seconds * axis.velocity + (noise * seconds * seconds) / 2
  axis.velocity += noise * seconds
}

/** `kept`: the share of the acceleration that is left. `noise` is that of the acceleration, m²/s⁵. */
export function predictTurn(axis: TurnCovariance, seconds: number, kept: number, noise: number): void {
  const { position, mixed, velocity, positionTurn, velocityTurn, turn } = axis
  const t = seconds
  const half = (t * t) / 2
  // P Fᵀ, then F (P Fᵀ), with F = [1 T T²/2; 0 1 T; 0 0 kept].
  const p = positionTurn + t * velocityTurn + half * turn
  const v = velocityTurn + t * turn
  const mixedBefore = mixed + t * velocity + half * velocityTurn
  axis.position = position + t * mixed + half * positionTurn + t * mixedBefore + half * p + (noise * t ** 5) / 20
  axis.mixed = mixedBefore + t * p + (noise * t ** 4) / 8
  axis.velocity = velocity + t * velocityTurn + t * v + (noise * t ** 3) / 3
  axis.positionTurn = kept * p + (noise * t ** 3) / 6
  axis.velocityTurn = kept * v + (noise * t ** 2) / 2
  axis.turn = kept * kept * turn + noise * t
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

/** Measured position across a turn: H = [1 lag lag²/2]. */
export function updateTurn(axis: TurnCovariance, lag: number, innovation: number, total: number): TurnChange {
  const { position, mixed, velocity, positionTurn, velocityTurn, turn } = axis
  const half = (lag * lag) / 2
  const p = position + lag * mixed + half * positionTurn
  const v = mixed + lag * velocity + half * velocityTurn
  const t = positionTurn + lag * velocityTurn + half * turn
  return subtract(axis, p, v, t, innovation, total)
}

/** Measured velocity across a turn: H = [0 1 0]. */
export function updateTurnVelocity(axis: TurnCovariance, innovation: number, noise: number): TurnChange {
  const { mixed, velocity, velocityTurn } = axis
  return subtract(axis, mixed, velocity, velocityTurn, innovation, velocity + noise)
}

/** P - (P Hᵀ)(P Hᵀ)ᵀ / total. Variances stay positive: each is at least what the measurement cannot tell. */
function subtract(
  axis: TurnCovariance,
  p: number,
  v: number,
  t: number,
  innovation: number,
  total: number,
): TurnChange {
  axis.position = Math.max(axis.position - (p * p) / total, leastShare * axis.position)
  axis.mixed -= (p * v) / total
  axis.velocity = Math.max(axis.velocity - (v * v) / total, leastShare * axis.velocity)
  axis.positionTurn -= (p * t) / total
  axis.velocityTurn -= (v * t) / total
  axis.turn = Math.max(axis.turn - (t * t) / total, leastShare * axis.turn)
  const surprise = innovation / total
  return { position: p * surprise, velocity: v * surprise, turn: t * surprise }
}

const leastShare = 1e-9
