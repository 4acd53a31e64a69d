/**
 * How high targets are above the ground, as far as it is known.
 * In: the tracks of an update. Out: for a track, its height above ground as reported; else above a target on the ground
 * near it. If nobody knows how high that stands, the lowest target that flies near it is taken to be in the circuit.
 * Else its lowest altitude, because the ground is hardly anywhere lower than the sea.
 */
import Flatbush from 'flatbush'
import type { Heights } from './heights.ts'
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
const maxFlyingCompared = 16
/** A target on the ground is as high as it says, within this. */
const knownWithinMetres = 300
/** 1,000 ft. */
const circuitMetres = 304.8

export function createGround(movers: readonly Mover[], heights: Heights): Ground {
  const onGround = movers.filter((mover) => mover.onGround && mover.altitudes.length > 0)
  const index = onGround.length > 0 ? indexPlaces(onGround) : undefined
  const flying = index ? movers.filter((mover) => !mover.onGround && mover.altitudes.length > 0) : []
  const flyingIndex = flying.length > 0 ? indexPlaces(flying) : undefined
  const found = new Map<Mover, number | undefined>()

  function find(mover: Mover): number | undefined {
    const reported = mover.altitudes.find(({ datum }) => datum === 'agl')
    if (reported) return reported.heightMetres
    const near = index?.neighbors(mover.lonDegrees, mover.latDegrees, maxCompared, nearDegrees) ?? []
    for (const at of near) {
      const ground = onGround[at]
      const compared = ground && heights.compare(ground, mover)
      if (compared && compared.uncertaintyMetres <= knownWithinMetres) return compared.upMetres
    }
    if (near.length > 0) return circuitMetres + aboveLowest(mover)
    const lowest = Math.min(...mover.altitudes.map(({ heightMetres }) => heightMetres))
    return Number.isFinite(lowest) ? lowest : undefined
  }

  function aboveLowest(mover: Mover): number {
    let most = 0
    for (const at of flyingIndex?.neighbors(mover.lonDegrees, mover.latDegrees, maxFlyingCompared, nearDegrees) ?? []) {
      const other = flying[at]
      const compared = other && other !== mover && heights.compare(other, mover)
      if (compared) most = Math.max(most, compared.upMetres)
    }
    return most
  }

  function heightOf(mover: Mover): number | undefined {
    if (!found.has(mover)) found.set(mover, find(mover))
    return found.get(mover)
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
