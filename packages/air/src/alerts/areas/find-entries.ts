/**
 * Finds the tracks that are in an area or are predicted to enter it.
 * In: all tracks at the same time. Out: one condition per track and area. Targets on the ground are left out.
 */
import type { AirAreaList } from '@posrep/spec'
import Flatbush from 'flatbush'
import type { Condition } from '../alert-book.ts'
import type { Heights } from '../heights.ts'
import { displace, scaleAt } from '../local-plane.ts'
import type { Mover } from '../mover.ts'
import { toAreaCondition } from './area-condition.ts'
import { type Above, type Entry, findEntry } from './entry.ts'
import { clear } from './limits.ts'
import { type WatchedArea, watchArea } from './watched-area.ts'

export interface AreaWatch {
  find(
    nowMs: number,
    movers: readonly Mover[],
    heights: Heights,
    isActive: (key: string) => boolean,
  ): Generator<Condition>
  /** How many tracks of the latest `find` were not compared with all areas. */
  leftOut(): number
}

/** Pairs of a track and an area near it. */
export const maxCompared = 20_000
/** Looks at edges of areas: each of those pairs may have an outline of 1,000 positions. */
const maxLooks = 20_000_000

/** `areas` have been checked by `../../check-areas.ts`. */
export function createAreaWatch({ features }: AirAreaList): AreaWatch {
  let looks = 0
  const hasWorkLeft = () => looks < maxLooks
  const areas = features.map((area) =>
    watchArea(area, (more) => {
      looks += more
    }),
  )
  const index = areas.length > 0 ? indexAreas(areas) : undefined
  let leftOut = 0

  return {
    *find(nowMs, movers, heights, isActive) {
      leftOut = 0
      looks = 0
      let compared = 0
      if (!index) return
      for (const mover of movers) {
        if (mover.onGround) continue
        if (compared >= maxCompared || !hasWorkLeft()) {
          leftOut++
          continue
        }
        const entries = new Map<WatchedArea, Entry>()
        // Where the track may be, also seen from the other side of longitude 180: areas end there.
        for (const lonShift of [0, 360, -360]) {
          const [west, south, east, north] = toBox(mover, lonShift)
          if (east < -180 || west > 180) continue
          const shifted = lonShift === 0 ? mover : { ...mover, lonDegrees: mover.lonDegrees + lonShift }
          for (const at of index.search(west, south, east, north)) {
            const watched = areas[at]
            if (!watched) continue
            compared++
            const entry = findEntry(
              shifted,
              watched,
              nowMs,
              aboveOf(mover, heights),
              isActive(toKey(watched, mover)),
              hasWorkLeft,
            )
            // An area over all longitudes is found from both sides.
            if (entry && entry.seconds < (entries.get(watched)?.seconds ?? Number.POSITIVE_INFINITY)) {
              entries.set(watched, entry)
            }
          }
        }
        for (const [watched, entry] of entries) {
          yield toAreaCondition(toKey(watched, mover), mover, watched.area, entry, nowMs)
        }
        if (!hasWorkLeft()) leftOut++
      }
    },
    leftOut: () => leftOut,
  }
}

function aboveOf(mover: Mover, heights: Heights): Above {
  return (datum) => heights.above(datum, mover)
}

function toKey({ area }: WatchedArea, { id }: Mover): string {
  return `area ${area.id} ${id}`
}

function indexAreas(areas: readonly WatchedArea[]): Flatbush {
  const index = new Flatbush(areas.length)
  for (const { box } of areas) index.add(...box)
  index.finish()
  return index
}

function toBox(mover: Mover, lonShift: number): [number, number, number, number] {
  const seconds = clear.lookAheadSeconds
  const northMetres = mover.northMetresPerSecond * seconds
  const { latDegrees } = displace(mover, { eastMetres: 0, northMetres })
  const scale = scaleAt(Math.min(Math.max(Math.abs(mover.latDegrees), Math.abs(latDegrees)), 89.9))
  const lonDegrees = mover.lonDegrees + lonShift
  const endLon = lonDegrees + (mover.eastMetresPerSecond * seconds) / scale.metresPerLonDegree
  const [lonPad, latPad] = [clear.metres / scale.metresPerLonDegree, clear.metres / scale.metresPerLatDegree]
  return [
    Math.min(lonDegrees, endLon) - lonPad,
    Math.min(mover.latDegrees, latDegrees) - latPad,
    Math.max(lonDegrees, endLon) + lonPad,
    Math.max(mover.latDegrees, latDegrees) + latPad,
  ]
}
