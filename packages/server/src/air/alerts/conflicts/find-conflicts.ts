/**
 * Finds the pairs of tracks that are predicted to lose separation, or have lost it.
 * In: all tracks at the same time, about once a second. Out: one condition per pair in conflict.
 */
import type { AirSeparation } from '@posrep/spec'
import type { Condition } from '../alert-book.ts'
import { createGround, type Ground } from '../ground.ts'
import type { Mover } from '../mover.ts'
import { largestLimits, limitsFor, type SeparationSetting } from '../separation.ts'
import { type Adviser, createAdviser } from './advice.ts'
import { findCandidates } from './candidates.ts'
import { type Interval, lossOfSeparation } from './closest-approach.ts'
import { type Conflict, describeConflict } from './describe-conflict.ts'
import { areOneTarget, canConflict, type Encounter, mayBeTaxiing, toEncounter } from './encounter.ts'
import { mayFlyTogether, observeClosest, type PairMemory, rememberPair } from './pair-memory.ts'

export interface ConflictFinder {
  find(nowMs: number, movers: readonly Mover[], isActive: (key: string) => boolean): Condition[]
  /** How many tracks of the latest update were in too large a crowd to be compared with all others. */
  leftOut(): number
  snapshot(): PairMemory[]
}

/** An alert is raised at the limits, and ends when the pair is clear of limits that are so much larger. */
const clearFactor = 1.1
/** An alert is raised at once if separation is lost before this. */
const urgentSeconds = 15
/** The closest approach may come so much later than the loss of separation. */
const predictedBeyondSeconds = 120
/** Pairs that open faster are moving apart. */
const openingMetresPerSecond = 1

export function createConflictFinder(setting: SeparationSetting, snapshot: PairMemory[] = []): ConflictFinder {
  let leftOut = 0
  let memories = new Map(snapshot.map((memory) => [memory.key, { ...memory }]))

  return {
    find(nowMs, movers, isActive) {
      const flying = movers.filter(canConflict)
      const largest = largestLimits(
        setting,
        flying.some(({ isDrone }) => isDrone),
      )
      const ground = createGround(movers)
      const limitsOf = ({ own, other, key }: Encounter) =>
        limitsFor(setting, {
          hasDrone: own.isDrone || other.isDrone,
          speedMetresPerSecond: Math.max(own.speedMetresPerSecond, other.speedMetresPerSecond),
          heightMetres: ground.heightOfBoth(own, other),
          isFormation: memories.get(key)?.isFormation ?? false,
        })
      const adviser = createAdviser(flying, limitsOf, largest)
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
        const encounter = toEncounter(own, other)
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
      return found.map((conflict) => toCondition(conflict, adviser))
    },
    leftOut: () => leftOut,
    snapshot: () => [...memories.values()].map((memory) => ({ ...memory })),
  }
}

/**
 * When the pair is below its limits, if that begins within the look-ahead. Altitudes that had to be converted may be wrong
 * by one standard deviation more.
 */
function findLoss({ motion, altitudes }: Encounter, limits: AirSeparation, factor: number): Interval | undefined {
  const lookAheadSeconds = limits.lookAheadSeconds * factor
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

function isWorthRaising(encounter: Encounter, loss: Interval, ground: Ground): boolean {
  if (mayBeTaxiing(encounter, ground)) return false
  return loss.fromSeconds > 0 || encounter.rangeMetresPerSecond <= openingMetresPerSecond
}

function toCondition(conflict: Conflict, adviser: Adviser): Condition {
  return {
    key: conflict.encounter.key,
    kind: 'conflict',
    isUrgent: conflict.loss.fromSeconds < urgentSeconds,
    describe: () => describeConflict(conflict, adviser.advise(conflict.encounter)),
    // Its numbers count from the time of the update.
    hasChanged: () => true,
  }
}
