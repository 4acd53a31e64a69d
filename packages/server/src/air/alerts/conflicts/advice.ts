/**
 * Finds the smallest change of heading, speed or level that restores separation from every track in view.
 * In: an encounter in conflict, and all tracks. Out: at most one advice per track and kind, smallest first; or one that says
 * that there is none. Every change is checked twice: as the target can fly it, and as if it were complete at once.
 */
import type { AirAdvice, AirSeparation } from '@posrep/spec'
import type { Mover } from '../mover.ts'
import { nameTrack } from '../track-name.ts'
import type { Encounter } from './encounter.ts'
import { abilitiesOf, type Change, fly } from './manoeuvre.ts'
import { createTrafficFinder, staysClear, type Traffic } from './traffic.ts'

export interface Adviser {
  /** Empty if separation is lost and the tracks move apart: then nothing is to be changed. */
  advise(encounter: Encounter): AirAdvice[]
}

/** Comparisons of a path with a track, and conflicts, per update. After that, conflicts get no advice until the next one. */
const maxComparisons = 20_000
export const maxAdvised = 100
/** Slower, a heading says nothing about where the target goes. */
const minSpeedMetresPerSecond = 3
/** Without a height above ground, no descent that ends below this is advised: the ground may be there. */
const lowestMslMetres = 3_000

/** `largest` are the largest limits of any pair. */
export function createAdviser(
  flying: readonly Mover[],
  limitsOf: (encounter: Encounter) => AirSeparation,
  largest: AirSeparation,
): Adviser {
  const trafficFinder = createTrafficFinder(flying, limitsOf, largest)
  let comparisons = 0
  let advised = 0

  function isSafe(mover: Mover, change: Change, traffic: readonly Traffic[]): boolean {
    // The instant one costs less.
    for (const instant of [true, false]) {
      const path = fly(mover, change, { instant })
      for (const other of traffic) {
        if (++comparisons > maxComparisons || !staysClear(path, other)) return false
      }
    }
    return true
  }

  function findFirst(mover: Mover, changes: Iterable<Change>, traffic: readonly Traffic[]): Change | undefined {
    for (const change of changes) if (isSafe(mover, change, traffic)) return change
    return undefined
  }

  /** In large steps first; then in small ones up to the large step that was found. */
  function findSmallest(mover: Mover, { steps, max, toChange }: Search, traffic: readonly Traffic[]) {
    const [large, small] = steps
    for (let from = 0; from < max; from += large) {
      if (comparisons > maxComparisons) return undefined
      const to = Math.min(from + large, max)
      if (!findFirst(mover, bothWays(to, toChange), traffic)) continue
      for (let size = from + small; size <= to; size += small) {
        const change = findFirst(mover, bothWays(size, toChange), traffic)
        if (change) return change
      }
    }
    return undefined
  }

  return {
    advise(encounter) {
      if (++advised > maxAdvised) return [{ kind: 'none', text: tooManyText }]
      const found: { effort: number; advice: AirAdvice }[] = []
      let isCrowded = false
      for (const mover of [encounter.own, encounter.other]) {
        if (comparisons > maxComparisons) break
        const traffic = trafficFinder.find(mover, encounter.key)
        if (!traffic) {
          isCrowded = true
          continue
        }
        comparisons += traffic.length
        if (isSafe(mover, unchanged, traffic)) return withoutChange(encounter)
        for (const search of searchesFor(mover)) {
          const change = findFirst(mover, search.first ?? [], traffic) ?? findSmallest(mover, search, traffic)
          if (change) found.push({ effort: effortOf(mover, change), advice: toAdvice(mover, change) })
        }
      }
      if (found.length > 0) return found.sort((a, b) => a.effort - b.effort).map(({ advice }) => advice)
      return [{ kind: 'none', text: isCrowded ? crowdText : comparisons > maxComparisons ? tooManyText : noneText }]
    },
  }
}

const unchanged: Change = { kind: 'heading', turnDegrees: 0 }

/** Separation is lost, and comes back as soon as with a change. */
function withoutChange({ rangeMetresPerSecond }: Encounter): AirAdvice[] {
  return rangeMetresPerSecond > 0 ? [] : [{ kind: 'none', text: tooLateText }]
}

const tooLateText = 'Separation is lost already, and no change takes effect before the tracks have passed each other'

const noneText =
  'No change of heading, speed or level by one of the two, as far as such a target can make it, restores separation from all tracks'
const crowdText = 'There are too many tracks near to look for advice'
const tooManyText = 'There are too many conflicts at once to look for advice in each'

/** The changes of one kind that a target can make. */
interface Search {
  /** Tried before all others. */
  first?: Change[]
  /** The large and the small step. */
  steps: [number, number]
  max: number
  /** Undefined for a change that the target cannot make. */
  toChange(size: number): Change | undefined
}

function searchesFor(mover: Mover): Search[] {
  const abilities = abilitiesOf(mover)
  const { speedMetresPerSecond: speed } = mover
  const [faster, slower] = [speed * (abilities.maxSpeedFactor - 1), speed * (1 - abilities.minSpeedFactor)]
  const deepest = Math.min(abilities.maxLevelChangeMetres, roomBelow(mover))
  const turns: Search = {
    steps: [5, 1],
    max: abilities.maxTurnDegrees,
    toChange: (turnDegrees) => ({ kind: 'heading', turnDegrees }),
  }
  const speeds: Search = {
    steps: [5, 1],
    max: Math.floor(Math.max(faster, slower)),
    toChange: (change) =>
      change <= faster && -change <= slower ? { kind: 'speed', speedChangeMetresPerSecond: change } : undefined,
  }
  const levels: Search = {
    // To stop a climb or descent.
    first: Math.abs(mover.upMetresPerSecond) >= 1 ? [{ kind: 'level', levelChangeMetres: 0 }] : [],
    steps: [50, 10],
    max: abilities.maxLevelChangeMetres,
    toChange: (change) => (change > 0 || -change <= deepest ? { kind: 'level', levelChangeMetres: change } : undefined),
  }
  return speed < minSpeedMetresPerSecond ? [levels] : [turns, speeds, levels]
}

function* bothWays(size: number, toChange: Search['toChange']): Generator<Change> {
  for (const change of [toChange(size), toChange(-size)]) if (change) yield change
}

function roomBelow(mover: Mover): number {
  const agl = mover.altitudes.find(({ datum }) => datum === 'agl')
  if (agl) return agl.heightMetres - abilitiesOf(mover).lowestAglMetres
  const lowest = Math.min(...mover.altitudes.map(({ heightMetres }) => heightMetres))
  return mover.altitudes.length > 0 ? lowest - lowestMslMetres : 0
}

/** As a part of what the target can do, so that changes of different kinds can be compared. */
function effortOf(mover: Mover, change: Change): number {
  const { maxTurnDegrees, maxSpeedFactor, maxLevelChangeMetres } = abilitiesOf(mover)
  switch (change.kind) {
    case 'heading':
      return Math.abs(change.turnDegrees) / maxTurnDegrees
    case 'speed':
      return Math.abs(change.speedChangeMetresPerSecond) / (mover.speedMetresPerSecond * (maxSpeedFactor - 1))
    case 'level':
      return Math.abs(change.levelChangeMetres) / maxLevelChangeMetres
  }
}

function toAdvice(mover: Mover, change: Change): AirAdvice {
  return { ...change, trackId: mover.id, text: `${nameTrack(mover.track)}: ${toSentence(mover, change)}` }
}

function toSentence({ speedMetresPerSecond }: Mover, change: Change): string {
  switch (change.kind) {
    case 'heading':
      return `turn ${Math.abs(change.turnDegrees)} degrees to the ${change.turnDegrees > 0 ? 'right' : 'left'}`
    case 'speed': {
      const by = Math.abs(change.speedChangeMetresPerSecond)
      if (change.speedChangeMetresPerSecond < 0 && by > speedMetresPerSecond - 1) {
        return `slow down by ${by} m/s, almost to a stop`
      }
      return `${change.speedChangeMetresPerSecond > 0 ? 'speed up' : 'slow down'} by ${by} m/s`
    }
    case 'level':
      if (change.levelChangeMetres === 0) return 'stay at the present level'
      return `${change.levelChangeMetres > 0 ? 'climb' : 'descend'} ${Math.abs(change.levelChangeMetres)} m`
  }
}
