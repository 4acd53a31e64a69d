/**
 * Finds the pairs of tracks that are predicted to lose separation, or have lost it.
 * In: all tracks at the same time, about once a second. Out: one condition per pair in conflict.
 */
import type { AirSeparation } from '@posrep/spec'
import type { Condition } from '../alert-book.ts'
import { createGround, type Ground } from '../ground.ts'
import type { Heights } from '../heights.ts'
import type { Mover } from '../mover.ts'
import { largestLimits, limitsFor, type SeparationSetting } from '../separation.ts'
import { type Adviser, createAdviser } from './advice.ts'
import { findCandidates } from './candidates.ts'
import { type Interval, lossOfSeparation } from './closest-approach.ts'
import { type Conflict, describeConflict } from './describe-conflict.ts'
import { areOneTarget, canConflict, type Encounter, mayBeTaxiing, toEncounter } from './encounter.ts'
import type { HeldAdvice } from './held-advice.ts'
import { mayFlyTogether, observeClosest, type PairMemory, rememberPair } from './pair-memory.ts'

export interface ConflictFinder {
  find(nowMs: number, movers: readonly Mover[], heights: Heights, isActive: (key: string) => boolean): Condition[]
  /** How many tracks of the latest update were in too large a crowd to be compared with all others. */
  leftOut(): number
  snapshot(): ConflictMemory
}

/** What is kept from update to update. */
export interface ConflictMemory {
  pairs: PairMemory[]
  /** What was advised, by the key of the alert. */
  advice: [key: string, held: readonly HeldAdvice[]][]
}

/** An alert is raised at the limits, and ends when the pair is clear of limits that are so much larger. */
const clearFactor = 1.1
/** An alert is raised at once if separation is lost before this. */
const urgentSeconds = 15
/** The closest approach may come so much later than the loss of separation. */
const predictedBeyondSeconds = 120
/** Pairs that open faster are moving apart. */
const openingMetresPerSecond = 1

export function createConflictFinder(setting: SeparationSetting, snapshot?: ConflictMemory): ConflictFinder {
  let leftOut = 0
  let memories = new Map((snapshot?.pairs ?? []).map((memory) => [memory.key, { ...memory }]))
  const advised = new Map(snapshot?.advice)

  function toCondition(conflict: Conflict, adviser: Adviser): Condition {
    const { encounter, loss } = conflict
    const { key } = encounter
    return {
      key,
      kind: 'conflict',
      isUrgent: loss.fromSeconds < urgentSeconds,
      describe() {
        const { advice, held } = adviser.advise(encounter, advised.get(key) ?? [])
        if (held.length > 0) advised.set(key, held)
        return describeConflict(conflict, advice)
      },
      // Its numbers count from the time of the update.
      hasChanged: () => true,
    }
  }

  return {
    find(nowMs, movers, heights, isActive) {
      const flying = movers.filter(canConflict)
      const largest = largestLimits(
        setting,
        flying.some(({ isDrone }) => isDrone),
      )
      const ground = createGround(movers, heights)
      const limitsOf = ({ own, other, key }: Encounter) =>
        limitsFor(setting, {
          hasDrone: own.isDrone || other.isDrone,
          speedMetresPerSecond: Math.max(own.speedMetresPerSecond, other.speedMetresPerSecond),
          heightMetres: ground.heightOfBoth(own, other),
          isFormation: memories.get(key)?.isFormation ?? false,
        })
      const adviser = createAdviser(flying, limitsOf, largest, heights, nowMs)
      const remembered = new Map<string, PairMemory>()
      const found: Conflict[] = []
      const reach = {
        horizontalMetres: largest.horizontalMetres * clearFactor,
        lookAheadSeconds: largest.lookAheadSeconds * clearFactor,
      }
      const candidates = findCandidates(flying, reach)
      leftOut = candidates.leftOut
      for (const [own, other] of candidates.pairs) {
        if (areOneTarget(own, other)) continue
        const encounter = toEncounter(own, other, heights)
        const { key } = encounter
        const isHeld = isActive(key)
        const limits = limitsOf(encounter)
        const loss = findLoss(encounter, limits, isHeld ? clearFactor : 1)
        const isLost = loss?.fromSeconds === 0
        const before = memories.get(key)
        const memory = isLost || mayFlyTogether(encounter) ? rememberPair(encounter, nowMs, before) : undefined
        if (memory) remembered.set(key, memory)
        if (!loss || (!isHeld && !isWorthRaising(encounter, loss, ground))) {
          delete memory?.closest
          continue
        }
        if (memory && isLost) observeClosest(encounter, nowMs, nowMs - (before?.updatedAtMs ?? nowMs), memory)
        found.push({ encounter, limits, loss, nowMs, closest: memory?.closest })
      }
      memories = remembered
      // Advice is limited per update: the soonest conflicts come first.
      found.sort((a, b) => a.loss.fromSeconds - b.loss.fromSeconds || (a.encounter.key < b.encounter.key ? -1 : 1))
      const keys = new Set(found.map(({ encounter }) => encounter.key))
      for (const key of advised.keys()) if (!keys.has(key) && !isActive(key)) advised.delete(key)
      return found.map((conflict) => toCondition(conflict, adviser))
    },
    leftOut: () => leftOut,
    snapshot: () => ({ pairs: [...memories.values()].map((memory) => ({ ...memory })), advice: [...advised] }),
  }
}

/**
 * When the pair is below its limits, if that begins within the look-ahead. Altitudes that had to be converted may be
 * wrong by that, those of different datums by their bounds.
 */
function findLoss(encounter: Encounter, limits: AirSeparation, factor: number): Interval | undefined {
  const { motion, altitudes } = encounter
  const lookAheadSeconds = lookAheadOf(encounter, limits) * factor
  const loss = lossOfSeparation(
    motion,
    {
      horizontalMetres: limits.horizontalMetres * factor,
      verticalMetres: limits.verticalMetres * factor + (altitudes?.uncertaintyMetres ?? 0),
    },
    { fromSeconds: 0, toSeconds: lookAheadSeconds + predictedBeyondSeconds },
  )
  return loss && loss.fromSeconds < lookAheadSeconds ? loss : undefined
}

/** Aircraft of a formation are so close that a prediction tells less than their velocities are uncertain soon. */
function lookAheadOf({ own, other }: Encounter, { preset, horizontalMetres, lookAheadSeconds }: AirSeparation): number {
  if (preset !== 'formation') return lookAheadSeconds
  const accuracy = Math.hypot(
    own.track.velocity?.accuracyMetresPerSecond ?? 0,
    other.track.velocity?.accuracyMetresPerSecond ?? 0,
  )
  return Math.min(lookAheadSeconds, horizontalMetres / Math.max(accuracy, 1))
}

function isWorthRaising(encounter: Encounter, loss: Interval, ground: Ground): boolean {
  if (mayBeTaxiing(encounter, ground)) return false
  return loss.fromSeconds > 0 || encounter.rangeMetresPerSecond <= openingMetresPerSecond
}
