/**
 * Which of two sensors is right about time and place.
 * In: after each position, whether it says who the target is, and its accuracy. Out: whether one outranks another.
 */
import type { Sensor } from './sensor.ts'

/** After each position: does the sensor say who targets are, and how accurate is it? */
export function rank(sensor: Sensor, isIdentified: boolean, sigmaMetres: number): void {
  const gain = sensor.sigmaMetres === 0 ? 1 : rankGain
  sensor.identifiedShare += gain * ((isIdentified ? 1 : 0) - sensor.identifiedShare)
  sensor.sigmaMetres += gain * (sigmaMetres - sensor.sigmaMetres)
}

/**
 * The time and place of the first one count: it says who targets are and the other does not, or it is clearly more
 * accurate.
 */
export function outranks(a: Sensor, b: Sensor): boolean {
  if (isIdentifying(a) !== isIdentifying(b)) return isIdentifying(a)
  return a.sigmaMetres < moreAccurate * b.sigmaMetres
}

/** It says who its targets are. */
export function isIdentifying({ identifiedShare }: Sensor): boolean {
  return identifiedShare >= identifyingShare
}

const rankGain = 0.02
const identifyingShare = 0.3
const moreAccurate = 0.6
