/**
 * What two tracks are to each other at one moment.
 * In: two tracks at the same time, in the order of their ids. Out: their relative motion, and how their altitudes
 * compare.
 */
import { areContradictory, haveCommon } from '../../correlation/targets/identifiers.ts'
import type { Ground } from '../ground.ts'
import type { Heights } from '../heights.ts'
import { offsetBetween } from '../local-plane.ts'
import type { Mover } from '../mover.ts'
import { type RelativeMotion, type Separation, separationAt } from './closest-approach.ts'
import type { AltitudeComparison } from './compare-altitudes.ts'

export interface Encounter {
  key: string
  own: Mover
  other: Mover
  /** Of the other, seen from the own track. */
  motion: RelativeMotion
  now: Separation
  altitudes: AltitudeComparison | undefined
  /** Negative while they come closer. */
  rangeMetresPerSecond: number
}

/** Both orders give the same encounter. */
export function toEncounter(one: Mover, another: Mover, heights: Heights): Encounter {
  const [own, other] = one.id < another.id ? [one, another] : [another, one]
  const altitudes = heights.compare(own, other)
  const motion: RelativeMotion = {
    ...offsetBetween(own, other),
    upMetres: altitudes ? altitudes.upMetres : null,
    eastMetresPerSecond: other.eastMetresPerSecond - own.eastMetresPerSecond,
    northMetresPerSecond: other.northMetresPerSecond - own.northMetresPerSecond,
    upMetresPerSecond: other.upMetresPerSecond - own.upMetresPerSecond,
  }
  const now = separationAt(motion, 0)
  const { eastMetres, northMetres, eastMetresPerSecond, northMetresPerSecond } = motion
  const product = eastMetres * eastMetresPerSecond + northMetres * northMetresPerSecond
  return {
    key: `conflict ${own.id} ${other.id}`,
    own,
    other,
    motion,
    now,
    altitudes,
    rangeMetresPerSecond: now.horizontalMetres > 0 ? product / now.horizontalMetres : 0,
  }
}

/** In flight, with a known velocity and a recent estimate: only then a conflict can be predicted. */
export function canConflict({ hasVelocity, onGround, ageMs }: Mover): boolean {
  return hasVelocity && !onGround && ageMs <= maxAgeMs
}

/** Where a track that is not seen any more flies straight ahead, there is probably nobody. */
const maxAgeMs = 20_000

/**
 * Two tracks of one target, or that are possibly one, are no conflict. The tracker joins them, or the alert
 * `identityConflict` tells that they are apart.
 */
export function areOneTarget({ id, track: own }: Mover, { id: otherId, track: other }: Mover): boolean {
  if (own.doubles?.includes(otherId) || other.doubles?.includes(id)) return true
  return haveCommon(own.identifiers, other.identifiers) && !areContradictory(own.identifiers, other.identifiers)
}

/**
 * Two aircraft as slow as taxiing ones that do not climb and can be on the ground: many transponders do not say that
 * they are.
 */
export function mayBeTaxiing({ own, other }: Encounter, ground: Ground): boolean {
  return canTaxi(own, ground) && canTaxi(other, ground)
}

const taxiSpeedMetresPerSecond = 15
/** Without a target on the ground near it, the height is that above the sea: most airports are lower. */
const maxTaxiHeightMetres = 300

function canTaxi(mover: Mover, ground: Ground): boolean {
  const { isDrone, speedMetresPerSecond, upMetresPerSecond, altitudes } = mover
  if (isDrone || speedMetresPerSecond >= taxiSpeedMetresPerSecond || Math.abs(upMetresPerSecond) >= 1) return false
  if (altitudes.some(({ datum }) => datum === 'agl')) return false
  return (ground.heightOf(mover) ?? 0) < maxTaxiHeightMetres
}
