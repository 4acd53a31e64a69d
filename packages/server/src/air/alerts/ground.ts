/**
 * How high targets are above the ground, as far as it is known.
 * In: the tracks of an update. Out: for a track, its height above ground as reported; else above a target on the ground near it; else
 * its lowest altitude, because the ground is hardly anywhere lower than the sea.
 */
import Flatbush from 'flatbush'
import { compareAltitudes } from './conflicts/compare-altitudes.ts'
import type { Mover } from './mover.ts'

export interface Ground {
  /** Metres; undefined for a track without altitude. */
  heightOf(mover: Mover): number | undefined
  /** That of the higher one; undefined if it is unknown of one of them. */
  heightOfBoth(own: Mover, other: Mover): number | undefined
}

/** About 10 km northwards, less eastwards: the ground does not differ much there. */
const nearDegrees = 0.1
const maxCompared = 4

export function createGround(movers: readonly Mover[]): Ground {
  const onGround = movers.filter((mover) => mover.onGround && mover.altitudes.length > 0)
  const index = onGround.length > 0 ? indexPlaces(onGround) : undefined
  const heights = new Map<Mover, number | undefined>()

  function find(mover: Mover): number | undefined {
    const reported = mover.altitudes.find(({ datum }) => datum === 'agl')
    if (reported) return reported.heightMetres
    for (const at of index?.neighbors(mover.lonDegrees, mover.latDegrees, maxCompared, nearDegrees) ?? []) {
      const ground = onGround[at]
      const compared = ground && compareAltitudes(ground, mover)
      if (compared) return compared.upMetres
    }
    const lowest = Math.min(...mover.altitudes.map(({ heightMetres }) => heightMetres))
    return Number.isFinite(lowest) ? lowest : undefined
  }

  function heightOf(mover: Mover): number | undefined {
    if (!heights.has(mover)) heights.set(mover, find(mover))
    return heights.get(mover)
  }

  return {
    heightOf,
    heightOfBoth(own, other) {
      const [a, b] = [heightOf(own), heightOf(other)]
      return a === undefined || b === undefined ? undefined : Math.max(a, b)
    },
  }
}

function indexPlaces(movers: readonly Mover[]): Flatbush {
  const index = new Flatbush(movers.length)
  for (const { lonDegrees, latDegrees } of movers) index.add(lonDegrees, latDegrees)
  index.finish()
  return index
}
