/**
 * Checks the path of a track against the other tracks in view.
 * In: a path, and another track, which flies straight ahead. Out: whether the path keeps or restores separation from
 * it.
 */
import type { AirSeparation } from '@posrep/spec'
import Flatbush from 'flatbush'
import type { Heights } from '../heights.ts'
import { scaleAt } from '../local-plane.ts'
import type { Mover } from '../mover.ts'
import {
  type Limits,
  lossOfSeparation,
  type RelativeMotion,
  separationAt,
  timeOfClosestApproach,
} from './closest-approach.ts'
import { areOneTarget, type Encounter, toEncounter } from './encounter.ts'
import { abilitiesOf, type Piece } from './manoeuvre.ts'

/** Another track as the changing one sees it. */
export interface Traffic {
  /** Position relative to the changing track at second 0, and own velocity. */
  other: RelativeMotion
  /**
   * Must not be violated in the horizon, or, if they are violated before a change can begin, not after `regainSeconds`.
   */
  limits: Limits
  /** The same without a margin, for advice that was given before. */
  heldLimits: Limits
  /** If separation is lost before a change can begin: the pair must not come closer than this. */
  floor?: Limits
  regainSeconds: number
  horizonSeconds: number
}

/**
 * Advice is to leave a little more than the limits, so that the alert ends, and what the velocities are off until the
 * closest approach: so many standard deviations, 90 %.
 */
const marginFactor = 1.1
const marginSigmas = 1.3
/** A change that restores separation only until shortly after the look-ahead is none. */
const beyondLookAheadSeconds = 60
/**
 * If separation is lost before a change can begin, the pair may come as close as it does in these seconds without a
 * change, which it cannot avoid, and a little closer; then not at once horizontally and vertically.
 */
const unavoidableSeconds = 15
const closerFactor = 0.9
/** 100 ft: closer in altitude is as good as level. */
const nearlyLevelMetres = 30.48

export interface TrafficFinder {
  /**
   * What the track can meet within the horizon. The track of the conflict comes first: most changes fail there.
   * Undefined in a crowd of more than `maxTraffic` tracks.
   */
  find(mover: Mover, conflictKey: string): Traffic[] | undefined
}

/** Traffic of 10,000 tracks within 300 km is less dense. */
export const maxTraffic = 1_000

/** `largest` are the largest limits of any pair. The index is made when it is first needed. */
export function createTrafficFinder(
  flying: readonly Mover[],
  limitsOf: (encounter: Encounter) => AirSeparation,
  largest: AirSeparation,
  heights: Heights,
): TrafficFinder {
  let index: ReturnType<typeof indexPlaces> | undefined
  return {
    find(mover, conflictKey) {
      index ??= indexPlaces(flying)
      const metres =
        largest.horizontalMetres * marginFactor +
        (mover.speedMetresPerSecond * maxSpeedUp + index.maxSpeedMetresPerSecond) *
          (largest.lookAheadSeconds + beyondLookAheadSeconds)
      const near = index.search(mover, metres)
      if (near.length > maxTraffic) return undefined
      const traffic: Traffic[] = []
      for (const at of near) {
        const other = flying[at]
        if (!other || other.id === mover.id || areOneTarget(mover, other)) continue
        const encounter = toEncounter(mover, other, heights)
        const item = toTraffic(mover, encounter, limitsOf(encounter))
        const closing = mover.speedMetresPerSecond * maxSpeedUp + other.speedMetresPerSecond
        const reach = item.limits.horizontalMetres + closing * item.horizonSeconds
        if (encounter.now.horizontalMetres > reach) continue
        if (encounter.key === conflictKey) traffic.unshift(item)
        else traffic.push(item)
      }
      return traffic
    },
  }
}

/** No advised speed is larger by more. */
const maxSpeedUp = 1.25

function indexPlaces(flying: readonly Mover[]) {
  const index = new Flatbush(flying.length)
  let maxSpeedMetresPerSecond = 0
  for (const { latDegrees, lonDegrees, speedMetresPerSecond } of flying) {
    index.add(lonDegrees, latDegrees)
    maxSpeedMetresPerSecond = Math.max(maxSpeedMetresPerSecond, speedMetresPerSecond)
  }
  index.finish()
  return {
    maxSpeedMetresPerSecond,
    /** Indexes of the tracks. */
    search({ latDegrees, lonDegrees }: Mover, metres: number): number[] {
      const latPad = metres / scaleAt(0).metresPerLatDegree
      const poleward = Math.min(Math.abs(latDegrees) + latPad, 89.9)
      const lonPad = Math.min(metres / scaleAt(poleward).metresPerLonDegree, 180)
      // The shifted searches find what is on the other side of longitude 180.
      return [0, 360, -360].flatMap((shift) => {
        const west = lonDegrees - lonPad + shift
        const east = lonDegrees + lonPad + shift
        if (east < -180 || west > 180) return []
        return index.search(west, latDegrees - latPad, east, latDegrees + latPad)
      })
    },
  }
}

export function staysClear(path: readonly Piece[], traffic: Traffic, isHeld = false): boolean {
  const { other, heldLimits, floor, regainSeconds, horizonSeconds } = traffic
  const limits = isHeld ? heldLimits : traffic.limits
  for (const piece of path) {
    const window = { fromSeconds: piece.fromSeconds, toSeconds: Math.min(piece.toSeconds, horizonSeconds) }
    if (window.fromSeconds >= window.toSeconds) break
    const motion = relativeTo(piece, other)
    if (floor && lossOfSeparation(motion, floor, window)) return false
    const fromSeconds = floor ? Math.max(window.fromSeconds, regainSeconds) : window.fromSeconds
    if (fromSeconds < window.toSeconds && lossOfSeparation(motion, limits, { ...window, fromSeconds })) return false
  }
  return true
}

/** The motion of the other, seen from the piece, at second 0 of the path. */
function relativeTo(piece: Piece, other: RelativeMotion): RelativeMotion {
  const { fromSeconds: start } = piece
  return {
    eastMetres: other.eastMetres - piece.eastMetres + piece.eastMetresPerSecond * start,
    northMetres: other.northMetres - piece.northMetres + piece.northMetresPerSecond * start,
    upMetres: other.upMetres === null ? null : other.upMetres - piece.upMetres + piece.upMetresPerSecond * start,
    eastMetresPerSecond: other.eastMetresPerSecond - piece.eastMetresPerSecond,
    northMetresPerSecond: other.northMetresPerSecond - piece.northMetresPerSecond,
    upMetresPerSecond: other.upMetresPerSecond - piece.upMetresPerSecond,
  }
}

/** Standard deviation of the relative velocity. */
function velocityErrorOf(own: Mover, other: Mover): number {
  const errors = [own, other].map(({ track }) => track.velocity?.accuracyMetresPerSecond ?? 0)
  return Math.hypot(...errors)
}

function toTraffic(mover: Mover, encounter: Encounter, limits: AirSeparation): Traffic {
  const { own, other, motion, now, altitudes } = encounter
  const isOwn = own === mover
  const seen = isOwn ? other : own
  const sign = isOwn ? 1 : -1
  const uncertainty = altitudes?.uncertaintyMetres ?? 0
  const closest = Math.min(Math.max(timeOfClosestApproach(motion), 0), limits.lookAheadSeconds)
  const held: Limits = {
    horizontalMetres: limits.horizontalMetres,
    verticalMetres: limits.verticalMetres + uncertainty,
  }
  const wanted: Limits = {
    horizontalMetres: limits.horizontalMetres * marginFactor + marginSigmas * velocityErrorOf(own, other) * closest,
    verticalMetres: limits.verticalMetres * marginFactor + uncertainty,
  }
  const isBelow = ({ horizontalMetres, verticalMetres }: Limits) =>
    now.horizontalMetres < horizontalMetres && (now.verticalMetres ?? 0) < verticalMetres
  const traffic: Traffic = {
    other: {
      eastMetres: sign * motion.eastMetres,
      northMetres: sign * motion.northMetres,
      upMetres: motion.upMetres === null ? null : sign * motion.upMetres,
      eastMetresPerSecond: seen.eastMetresPerSecond,
      northMetresPerSecond: seen.northMetresPerSecond,
      upMetresPerSecond: seen.upMetresPerSecond,
    },
    limits: isBelow(wanted) ? held : wanted,
    heldLimits: held,
    regainSeconds: limits.lookAheadSeconds,
    horizonSeconds: limits.lookAheadSeconds + beyondLookAheadSeconds,
  }
  const loss = lossOfSeparation(motion, held, { fromSeconds: 0, toSeconds: abilitiesOf(mover).delaySeconds })
  if (loss) {
    const seconds = Math.min(Math.max(timeOfClosestApproach(motion), 0), unavoidableSeconds)
    const soon = separationAt(motion, seconds)
    traffic.floor = {
      horizontalMetres: soon.horizontalMetres * closerFactor,
      verticalMetres: Math.max((soon.verticalMetres ?? 0) * closerFactor, nearlyLevelMetres),
    }
  }
  return traffic
}
