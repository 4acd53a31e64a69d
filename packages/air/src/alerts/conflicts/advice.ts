/**
 * Finds the smallest change of heading, speed or level that restores separation from every track in view.
 * In: an encounter in conflict, all tracks, and what was advised before. Out: the same as long as that works; otherwise
 * at most one advice per track and kind, smallest first; or one that says that there is none. Every change is checked
 * twice: as the target can fly it after the time in which people react, and as if it were complete at once.
 */
import type { AirAdvice, AirSeparation } from '@posrep/spec'
import type { Heights } from '../heights.ts'
import type { Mover } from '../mover.ts'
import { nameTrack } from '../track-name.ts'
import type { Encounter } from './encounter.ts'
import { type HeldAdvice, hold, leftOf, sideOf } from './held-advice.ts'
import { abilitiesOf, type Change, fly, type Piece } from './manoeuvre.ts'
import { createTrafficFinder, staysClear, type Traffic } from './traffic.ts'

export interface Adviser {
  advise(encounter: Encounter, held: readonly HeldAdvice[]): Advised
}

export interface Advised {
  /** Empty if separation is lost and the tracks move apart: then nothing is to be changed. */
  advice: AirAdvice[]
  /** For the next time. */
  held: readonly HeldAdvice[]
}

/**
 * Comparisons of a path with a track, and conflicts, per update. After that, conflicts get no advice until the next
 * one.
 */
const maxComparisons = 20_000
export const maxAdvised = 100
/** Slower, a heading says nothing about where the target goes. */
const minSpeedMetresPerSecond = 3
/** Without a height above ground, no descent that ends below this is advised: the ground may be there. */
const lowestMslMetres = 3_000

interface Given {
  advice: AirAdvice
  given: HeldAdvice
}

/** `largest` are the largest limits of any pair. */
export function createAdviser(
  flying: readonly Mover[],
  limitsOf: (encounter: Encounter) => AirSeparation,
  largest: AirSeparation,
  heights: Heights,
  nowMs: number,
): Adviser {
  const trafficFinder = createTrafficFinder(flying, limitsOf, largest, heights)
  let comparisons = 0
  let advised = 0

  function isSafe(mover: Mover, change: Change, traffic: readonly Traffic[]): boolean {
    // The instant one costs less.
    return [true, false].every((instant) => isClear(fly(mover, change, { instant }), traffic))
  }

  function isClear(path: readonly Piece[], traffic: readonly Traffic[], isHeld = false): boolean {
    for (const other of traffic) {
      if (++comparisons > maxComparisons || !staysClear(path, other, isHeld)) return false
    }
    return true
  }

  /** Begun by the end of the time in which people react, or now. */
  function works({ givenAtMs }: HeldAdvice, mover: Mover, change: Change, traffic: readonly Traffic[]): boolean {
    const delaySeconds = Math.max(0, abilitiesOf(mover).delaySeconds - (nowMs - givenAtMs) / 1_000)
    return isClear(fly(mover, change, { delaySeconds }), traffic, true)
  }

  /** Empty if the first one does not work any more. */
  function findHeld(held: readonly HeldAdvice[], encounter: Encounter): Given[] {
    const kept: Given[] = []
    for (const given of held) {
      const mover = [encounter.own, encounter.other].find(({ id }) => id === given.trackId)
      const traffic = mover && trafficFinder.find(mover, encounter.key)
      const change = mover && leftOf(given, mover)
      if (mover && change && traffic && works(given, mover, change, traffic)) {
        kept.push({ given, advice: toAdvice(mover, change) })
      } else if (kept.length === 0) return []
    }
    return kept
  }

  function findFirst(mover: Mover, changes: Iterable<Change>, traffic: readonly Traffic[]): Change | undefined {
    for (const change of changes) if (isSafe(mover, change, traffic)) return change
    return undefined
  }

  /** In large steps first; then in small ones up to the large step that was found. */
  function findSmallest(mover: Mover, search: Search, sides: readonly number[], traffic: readonly Traffic[]) {
    const { steps, max, toChange } = search
    const [large, small] = steps
    for (let from = 0; from < max; from += large) {
      if (comparisons > maxComparisons) return undefined
      const to = Math.min(from + large, max)
      if (!findFirst(mover, toSides(to, sides, toChange), traffic)) continue
      for (let size = from + small; size <= to; size += small) {
        const change = findFirst(mover, toSides(size, sides, toChange), traffic)
        if (change) return change
      }
    }
    return undefined
  }

  /**
   * What was advised before is not reversed: somebody may be doing it. In head-on, both turn right if they can (ICAO
   * Annex 2, 3.2.2.2).
   */
  function search(mover: Mover, one: Search, held: readonly HeldAdvice[], isHeadOn: boolean, traffic: Traffic[]) {
    const before = held.find(({ trackId, change }) => trackId === mover.id && change.kind === one.kind)
    const side = before ? sideOf(before.change) : 0
    if (side !== 0) return findSmallest(mover, one, [side], traffic)
    const first = findFirst(mover, one.first ?? [], traffic)
    if (first) return first
    const right = isHeadOn && one.kind === 'heading' ? findSmallest(mover, one, [1], traffic) : undefined
    return right ?? findSmallest(mover, one, [1, -1], traffic)
  }

  return {
    advise(encounter, held) {
      const none = (text: string): Advised => ({ advice: [{ kind: 'none', text }], held })
      if (++advised > maxAdvised) return none(tooManyText)
      const isHeadOn = areHeadOn(encounter)
      const found: (Given & { effort: number })[] = []
      let isCrowded = false
      let comesBackUnchanged = false
      for (const mover of [encounter.own, encounter.other]) {
        if (comparisons > maxComparisons) break
        const traffic = trafficFinder.find(mover, encounter.key)
        if (!traffic) {
          isCrowded = true
          continue
        }
        comparisons += traffic.length
        comesBackUnchanged ||= isSafe(mover, unchanged, traffic)
      }
      if (comesBackUnchanged && encounter.rangeMetresPerSecond > 0) return { advice: [], held }
      // Somebody who was told in time may be about to begin: that works for longer than what is new.
      const kept = findHeld(held, encounter)
      if (kept.length > 0) return toAdvised(kept, held)
      if (comesBackUnchanged) return none(tooLateText)
      for (const mover of [encounter.own, encounter.other]) {
        const traffic = comparisons > maxComparisons ? undefined : trafficFinder.find(mover, encounter.key)
        if (!traffic) continue
        for (const one of searchesFor(mover)) {
          const change = search(mover, one, held, isHeadOn, traffic)
          if (!change) continue
          const effort = effortOf(mover, change) - (isHeadOn && isRightTurn(change) ? 1 : 0)
          found.push({ effort, advice: toAdvice(mover, change), given: hold(mover, change, nowMs) })
        }
      }
      found.sort((a, b) => a.effort - b.effort)
      if (found.length > 0) return toAdvised(found, held)
      return none(isCrowded ? crowdText : comparisons > maxComparisons ? tooManyText : noneText)
    },
  }
}

/** What does not work now is remembered, so that it is not reversed later. */
function toAdvised(found: readonly Given[], held: readonly HeldAdvice[]): Advised {
  const given = found.map((one) => one.given)
  const isOther = ({ trackId, change: { kind } }: HeldAdvice) =>
    !given.some((one) => one.trackId === trackId && one.change.kind === kind)
  return { advice: found.map(({ advice }) => advice), held: [...given, ...held.filter(isOther)] }
}

function isRightTurn(change: Change): boolean {
  return change.kind === 'heading' && change.turnDegrees > 0
}

/** Courses that are opposite within this. */
const headOnDegrees = 20

function areHeadOn({ own, other, rangeMetresPerSecond }: Encounter): boolean {
  const { eastMetresPerSecond: u, northMetresPerSecond: v } = own
  const product = u * other.eastMetresPerSecond + v * other.northMetresPerSecond
  const speeds = own.speedMetresPerSecond * other.speedMetresPerSecond
  return rangeMetresPerSecond < 0 && product < -speeds * Math.cos((headOnDegrees * Math.PI) / 180)
}

const unchanged: Change = { kind: 'heading', turnDegrees: 0 }

/** Separation is lost before a new change begins, and comes back as soon as with one. */
const tooLateText = 'It is too late for a change: none takes effect before the tracks have passed each other'

const noneText =
  'No change of heading, speed or level by one of the two, as far as such a target can make it, restores separation from all tracks'
const crowdText = 'There are too many tracks near to look for advice'
const tooManyText = 'There are too many conflicts at once to look for advice in each'

/** The changes of one kind that a target can make. */
interface Search {
  kind: Change['kind']
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
    kind: 'heading',
    steps: [5, 1],
    max: abilities.maxTurnDegrees,
    toChange: (turnDegrees) => ({ kind: 'heading', turnDegrees }),
  }
  const speeds: Search = {
    kind: 'speed',
    steps: [5, 1],
    max: Math.floor(Math.max(faster, slower)),
    toChange: (change) =>
      change <= faster && -change <= slower ? { kind: 'speed', speedChangeMetresPerSecond: change } : undefined,
  }
  const levels: Search = {
    kind: 'level',
    // To stop a climb or descent.
    first: Math.abs(mover.upMetresPerSecond) >= 1 ? [{ kind: 'level', levelChangeMetres: 0 }] : [],
    steps: [50, 10],
    max: abilities.maxLevelChangeMetres,
    toChange: (change) => (change > 0 || -change <= deepest ? { kind: 'level', levelChangeMetres: change } : undefined),
  }
  return speed < minSpeedMetresPerSecond ? [levels] : [turns, speeds, levels]
}

function* toSides(size: number, sides: readonly number[], toChange: Search['toChange']): Generator<Change> {
  for (const side of sides) {
    const change = toChange(side * size)
    if (change) yield change
  }
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
