/**
 * A target that was silent comes back: its first positions without an id have begun a track of their own, then one with
 * an id shows which target it is. In: the track with that position. Out: the track has absorbed the new one, if exactly
 * one fits.
 */
import { areDistinct } from '../association/distinct.ts'
import { distanceTo } from '../association/gate.ts'
import type { Observation } from '../association/observation.ts'
import { lifeParameters } from '../parameters.ts'
import type { Picture } from '../picture.ts'
import { isStrong } from '../targets/identifiers.ts'
import type { Target } from '../targets/target.ts'
import { absorb } from './absorb.ts'

/** Positions of one appearance are at most this far apart. */
const appearanceMs = 5_000

export function absorbReappearance(picture: Picture, target: Target, observation: Observation, silentMs: number): void {
  if (silentMs < lifeParameters.coastingMs) return
  const { latDegrees, lonDegrees } = observation.reception.position
  const found: Target[] = []
  picture.index.visitNear(latDegrees, lonDegrees, (other) => {
    if (other !== target && isNewAndAnonymous(other, target) && isHere(picture, other, observation)) found.push(other)
  })
  const [other] = found
  if (other && found.length === 1 && !areDistinct(target, other)) absorb(picture, target, other, { silentMs })
}

function isNewAndAnonymous(other: Target, { number }: Target): boolean {
  return other.track.state === 'tentative' && other.number > number && !other.track.identifiers.some(isStrong)
}

function isHere({ index }: Picture, other: Target, observation: Observation): boolean {
  if (Math.abs(other.motion.timeMs - observation.measured.timeMs) > appearanceMs) return false
  return distanceTo(other, index.sensor(other.deviceUrn), observation).isInside
}
