/**
 * How targets turn: constants of both models, made of the parameters, and the angle of a turn.
 */
import { turnParameters } from '../parameters.ts'

const { accelerationMetresPerSecondSquared, fadesInSeconds, straightSeconds, turnSeconds, maxRadiansPerSecond } =
  turnParameters
export const turnVariance = accelerationMetresPerSecondSquared ** 2
export const turnNoise = (2 * turnVariance) / fadesInSeconds
export const usualTurning = turnSeconds / (straightSeconds + turnSeconds)
export const changesPerSecond = 1 / straightSeconds + 1 / turnSeconds
/** Slower, the velocity has no direction. */
export const leastSpeed = 0.5

/** By which the velocity turns to the left. */
export function angleOf(left: number, speed: number, seconds: number): number {
  if (left === 0 || speed < leastSpeed) return 0
  const rate = Math.min(Math.max(left / speed, -maxRadiansPerSecond), maxRadiansPerSecond)
  const fading = fadesInSeconds * (1 - Math.exp(-Math.abs(seconds) / fadesInSeconds))
  return Math.sign(seconds) * rate * fading
}
