/**
 * Finds the pairs of tracks that can come near each other at all, without comparing each with each.
 * In: tracks, and the largest limits. Out: pairs, each once. Every track is a box around where it can be within the
 * look-ahead, in an R-tree; a pair is two boxes that touch, if their straight ways then come near each other at the
 * same time. The work is bounded, so that a flood of targets in one place neither stops the picture nor fills the list
 * of alerts: crowds of more than 400 tracks are left out, and of the others those with the fewest tracks around them
 * come first.
 */
import Flatbush from 'flatbush'
import { displace, scaleAt } from '../local-plane.ts'
import type { Mover } from '../mover.ts'

export interface Reach {
  horizontalMetres: number
  lookAheadSeconds: number
}

export interface CandidateSearch {
  pairs: [Mover, Mover][]
  /** Pairs of boxes that were tested. */
  tested: number
  /** How many tracks were not compared with others, or not with all others that are as crowded. */
  leftOut: number
}

/** Pairs of boxes, and pairs that come near each other. 10,000 tracks within 300 km make fewer of both. */
export const maxTested = 100_000
export const maxCandidates = 10_000

export function findCandidates(given: readonly Mover[], reach: Reach): CandidateSearch {
  const search: CandidateSearch = { pairs: [], tested: 0, leftOut: 0 }
  if (given.length < 2) return search
  const movers = leastCrowdedFirst(given)
  search.leftOut = given.length - movers.length
  if (movers.length < 2) return search
  const boxes = movers.map((mover) => toBox(mover, reach))
  const index = new Flatbush(movers.length)
  for (const [west, south, east, north] of boxes) index.add(west, south, east, north)
  index.finish()
  for (const [at, own] of movers.entries()) {
    const box = boxes[at] ?? nowhere
    const [west, south, east, north] = box
    const isAfter = (other: number) => other > at
    const found = new Set(index.search(west, south, east, north, isAfter))
    // A box across longitude 180 also touches boxes on the other side. Those before it in the list have found it,
    // unless they end there.
    const isUnseen = (other: number) => isAfter(other) || !hasSeen(boxes[other] ?? nowhere, box)
    for (const lonShift of shiftsOf(box)) {
      for (const other of index.search(west + lonShift, south, east + lonShift, north, isUnseen)) found.add(other)
    }
    for (const otherAt of found) {
      const other = movers[otherAt]
      if (search.tested >= maxTested || search.pairs.length >= maxCandidates) {
        search.leftOut += movers.length - at
        return search
      }
      search.tested++
      if (other && canMeet(own, other, reach)) search.pairs.push([own, other])
    }
  }
  return search
}

/**
 * About 5.5 km from north to south, and less from west to east: 2.8 km at 60°. As many tracks as the gate of the
 * tracker takes in such a cell.
 */
const crowdCellDegrees = 0.05
const maxCrowd = 400

function leastCrowdedFirst(movers: readonly Mover[]): Mover[] {
  const counts = new Map<number, number>()
  const cells = movers.map(({ latDegrees, lonDegrees }) => {
    const cell = Math.floor(latDegrees / crowdCellDegrees) * 10_000 + Math.floor(lonDegrees / crowdCellDegrees)
    counts.set(cell, (counts.get(cell) ?? 0) + 1)
    return cell
  })
  return movers
    .map((mover, at) => ({ mover, crowd: counts.get(cells[at] ?? 0) ?? 0 }))
    .filter(({ crowd }) => crowd <= maxCrowd)
    .sort((a, b) => a.crowd - b.crowd)
    .map(({ mover }) => mover)
}

/** Allows for the error of a plane at the latitude of one of both. */
const tolerance = 1.05

/** Without a new object for each pair: most pairs end here. */
function canMeet(own: Mover, other: Mover, { horizontalMetres, lookAheadSeconds }: Reach): boolean {
  let lonDegrees = other.lonDegrees - own.lonDegrees
  if (lonDegrees > 180) lonDegrees -= 360
  else if (lonDegrees < -180) lonDegrees += 360
  const east = lonDegrees * (own.metresPerLonDegree + other.metresPerLonDegree) * 0.5
  const north = (other.latDegrees - own.latDegrees) * own.metresPerLatDegree
  const eastRate = other.eastMetresPerSecond - own.eastMetresPerSecond
  const northRate = other.northMetresPerSecond - own.northMetresPerSecond
  const speedSquared = eastRate * eastRate + northRate * northRate
  const closest = speedSquared > 0 ? -(east * eastRate + north * northRate) / speedSquared : 0
  const seconds = Math.min(Math.max(closest, 0), lookAheadSeconds)
  return Math.hypot(east + eastRate * seconds, north + northRate * seconds) < horizontalMetres * tolerance
}

type Box = [west: number, south: number, east: number, north: number]

const nowhere: Box = [0, 0, 0, 0]

function shiftsOf([west, , east]: Box): number[] {
  return [...(west < -180 ? [360] : []), ...(east > 180 ? [-360] : [])]
}

/** Whether the search of an earlier box has come to this one, which it touches across longitude 180. */
function hasSeen(earlier: Box, [west, , east]: Box): boolean {
  return shiftsOf(earlier).length > 0 || (earlier[0] <= east && earlier[2] >= west)
}

/** Half the limit on each side: two boxes touch if the distance may be below the limit. */
function toBox(mover: Mover, { horizontalMetres, lookAheadSeconds }: Reach): Box {
  const eastMetres = mover.eastMetresPerSecond * lookAheadSeconds
  const northMetres = mover.northMetresPerSecond * lookAheadSeconds
  const end = displace(mover, { eastMetres, northMetres })
  const { metresPerLatDegree } = scaleAt(mover.latDegrees)
  const poleward = Math.min(Math.max(Math.abs(mover.latDegrees), Math.abs(end.latDegrees)) + 0.1, 89.9)
  const lonPad = horizontalMetres / 2 / scaleAt(poleward).metresPerLonDegree
  const latPad = (horizontalMetres / 2 / metresPerLatDegree) * 1.01
  const endLon = mover.lonDegrees + eastMetres / scaleAt(poleward).metresPerLonDegree
  return [
    Math.min(mover.lonDegrees, endLon) - lonPad,
    Math.min(mover.latDegrees, end.latDegrees) - latPad,
    Math.max(mover.lonDegrees, endLon) + lonPad,
    Math.max(mover.latDegrees, end.latDegrees) + latPad,
  ]
}
