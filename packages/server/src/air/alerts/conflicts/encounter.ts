/**
 * What two tracks are to each other at one moment.
 * In: two tracks at the same time, in the order of their ids. Out: their relative motion, and how their altitudes compare.
 */
import { offsetBetween } from '../local-plane.ts'
import type { Mover } from '../mover.ts'
import { type RelativeMotion, type Separation, separationAt } from './closest-approach.ts'
import { type AltitudeComparison, compareAltitudes } from './compare-altitudes.ts'

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
export function toEncounter(one: Mover, another: Mover): Encounter {
  const [own, other] = one.id < another.id ? [one, another] : [another, one]
  const altitudes = compareAltitudes(own, other)
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
 * Two aircraft as slow as taxiing ones that neither climb nor say how high they are: many transponders do not say that they
 * are on the ground.
 */
export function mayBeTaxiing({ own, other }: Encounter): boolean {
  return isSlow(own) && isSlow(other)
}

const taxiSpeedMetresPerSecond = 15

function isSlow({ isDrone, speedMetresPerSecond, upMetresPerSecond, altitudes }: Mover): boolean {
  return (
    !isDrone &&
    speedMetresPerSecond < taxiSpeedMetresPerSecond &&
    Math.abs(upMetresPerSecond) < 1 &&
    !altitudes.some(({ datum }) => datum === 'agl')
  )
}
