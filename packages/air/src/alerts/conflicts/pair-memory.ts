/**
 * What is remembered of a pair of tracks from update to update: how long they have flown together, and how close they
 * came.
 * In: the encounter at each update. Out: the same, updated. A pair that is not near any more is forgotten.
 */
import { displace, type Place } from '../local-plane.ts'
import type { Mover } from '../mover.ts'
import { type Separation, separationAt, timeOfClosestApproach } from './closest-approach.ts'
import type { Encounter } from './encounter.ts'

export interface PairMemory {
  key: string
  /** When the distances began to stay about the same, and the largest since. */
  steadySinceMs: number
  steady: Separation
  isFormation: boolean
  updatedAtMs: number
  /** The smallest distance since the pair is in conflict. */
  closest?: ObservedClosest
}

export interface ObservedClosest {
  atMs: number
  horizontalMetres: number
  verticalMetres: number | null
  ownPosition: Place
  otherPosition: Place
}

/**
 * Flying together is distances that change less than this, for so long. A pair that closes by 1 m/s never does: it is
 * compared with the largest distances of that time.
 */
const steadyToleranceMetres = 60
const steadyVerticalToleranceMetres = 30
const steadyMs = 60_000
/** Further apart, two aircraft that fly alike are no formation. */
const maxFormationMetres = 500
const maxFormationVerticalMetres = 60
/** More than the error of velocities. */
const maxFormationRangeMetresPerSecond = 10

export function mayFlyTogether({ now, own, other, rangeMetresPerSecond }: Encounter): boolean {
  return (
    Math.abs(rangeMetresPerSecond) < maxFormationRangeMetresPerSecond &&
    now.horizontalMetres < maxFormationMetres &&
    (now.verticalMetres ?? 0) < maxFormationVerticalMetres &&
    // A drone beside an aircraft is never a formation.
    own.isDrone === other.isDrone
  )
}

export function rememberPair(encounter: Encounter, nowMs: number, before: PairMemory | undefined): PairMemory {
  const { key, now } = encounter
  const isSteady = before !== undefined && areAlike(now, before.steady) && mayFlyTogether(encounter)
  const memory: PairMemory = isSteady
    ? { ...before, steady: largestOf(before.steady, now), updatedAtMs: nowMs }
    : { key, steadySinceMs: nowMs, steady: now, isFormation: false, updatedAtMs: nowMs }
  if (before?.closest) memory.closest = before.closest
  memory.isFormation = nowMs - memory.steadySinceMs >= steadyMs
  return memory
}

function largestOf(a: Separation, b: Separation): Separation {
  const { verticalMetres } = a
  return {
    horizontalMetres: Math.max(a.horizontalMetres, b.horizontalMetres),
    verticalMetres:
      verticalMetres === null || b.verticalMetres === null
        ? verticalMetres
        : Math.max(verticalMetres, b.verticalMetres),
  }
}

function areAlike(now: Separation, before: Separation): boolean {
  return (
    Math.abs(now.horizontalMetres - before.horizontalMetres) < steadyToleranceMetres &&
    Math.abs((now.verticalMetres ?? 0) - (before.verticalMetres ?? 0)) < steadyVerticalToleranceMetres
  )
}

/** Smaller differences come from rounding. */
const minDifferenceMetres = 0.1

/** Also finds a closest approach between the update before and this one. */
export function observeClosest(encounter: Encounter, nowMs: number, elapsedMs: number, memory: PairMemory): void {
  const { motion, own, other } = encounter
  const past = timeOfClosestApproach(motion)
  const seconds = past < 0 && past * 1_000 >= -elapsedMs ? past : 0
  const { horizontalMetres, verticalMetres } = separationAt(motion, seconds)
  if (memory.closest && memory.closest.horizontalMetres - minDifferenceMetres <= horizontalMetres) return
  memory.closest = {
    atMs: nowMs + seconds * 1_000,
    horizontalMetres,
    verticalMetres,
    ownPosition: positionAt(own, seconds),
    otherPosition: positionAt(other, seconds),
  }
}

export function positionAt(mover: Mover, seconds: number): Place {
  return displace(mover, {
    eastMetres: mover.eastMetresPerSecond * seconds,
    northMetres: mover.northMetresPerSecond * seconds,
  })
}
