/**
 * An area, prepared for the question when a path is in it.
 * In: an area of the document. Out: its outline as an index of edges, and its times in ms; and how much work each
 * question was.
 */

import type { AirArea } from '@posrep/spec'
import booleanPointInPolygon from '@turf/boolean-point-in-polygon'
import Flatbush from 'flatbush'
import { type Place, scaleAt } from '../local-plane.ts'

export interface WatchedArea {
  area: AirArea
  /** West, south, east, north. */
  box: [number, number, number, number]
  /** Undefined: always. */
  active: { fromMs: number; toMs: number }[] | undefined
  contains(place: Place): boolean
  /** The parts of the straight way between two places at which it crosses the outline: from 0 to 1, in order. */
  crossings(from: Place, to: Place): number[]
  isNearOutline(place: Place, metres: number): boolean
}

type Edge = readonly [lon1: number, lat1: number, lon2: number, lat2: number]
const noEdge: Edge = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]

/** To find an edge in the index and compare it with a way takes so many times the time of one look at an edge. */
const searchWork = 20

/** @param onWork Called with the looks at edges that a question took. */
export function watchArea(area: AirArea, onWork: (looks: number) => void): WatchedArea {
  const edges: Edge[] = []
  for (const ring of area.geometry.coordinates) {
    for (const [at, end] of ring.entries()) {
      const start = ring[at - 1]
      if (start) edges.push([start[0] ?? 0, start[1] ?? 0, end[0] ?? 0, end[1] ?? 0])
    }
  }
  const index = new Flatbush(edges.length)
  for (const [lon1, lat1, lon2, lat2] of edges) {
    index.add(Math.min(lon1, lon2), Math.min(lat1, lat2), Math.max(lon1, lon2), Math.max(lat1, lat2))
  }
  index.finish()
  const box: WatchedArea['box'] = [index.minX, index.minY, index.maxX, index.maxY]
  const findEdges = (west: number, south: number, east: number, north: number) => {
    const found = index.search(west, south, east, north)
    onWork(found.length * searchWork)
    return found.map((at) => edges[at] ?? noEdge)
  }
  const polygon = area.geometry

  return {
    area,
    box,
    active: area.properties.active?.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })),
    contains({ latDegrees, lonDegrees }) {
      onWork(edges.length)
      return booleanPointInPolygon([lonDegrees, latDegrees], polygon)
    },
    crossings(from, to) {
      const [x1, y1, x2, y2] = [from.lonDegrees, from.latDegrees, to.lonDegrees, to.latDegrees]
      const near = findEdges(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2))
      return near
        .map((edge) => crossingOf([x1, y1, x2, y2], edge))
        .filter((part) => part !== undefined)
        .sort((a, b) => a - b)
    },
    isNearOutline(place, metres) {
      const scale = scaleAt(place.latDegrees)
      const [lonPad, latPad] = [metres / scale.metresPerLonDegree, metres / scale.metresPerLatDegree]
      const { latDegrees: lat, lonDegrees: lon } = place
      return findEdges(lon - lonPad, lat - latPad, lon + lonPad, lat + latPad).some(
        (edge) => distanceTo(edge, place) < metres,
      )
    },
  }
}

/** Where the way crosses the edge, as a part of the way; undefined if it does not. */
function crossingOf([x1, y1, x2, y2]: Edge, [a1, b1, a2, b2]: Edge): number | undefined {
  const [u, v, p, q] = [x2 - x1, y2 - y1, a2 - a1, b2 - b1]
  const cross = u * q - v * p
  if (cross === 0) return undefined
  const onWay = ((a1 - x1) * q - (b1 - y1) * p) / cross
  const onEdge = ((a1 - x1) * v - (b1 - y1) * u) / cross
  return onWay >= 0 && onWay <= 1 && onEdge >= 0 && onEdge <= 1 ? onWay : undefined
}

function distanceTo([lon1, lat1, lon2, lat2]: Edge, { latDegrees, lonDegrees }: Place): number {
  const { metresPerLonDegree, metresPerLatDegree } = scaleAt(latDegrees)
  const [x1, y1] = [(lon1 - lonDegrees) * metresPerLonDegree, (lat1 - latDegrees) * metresPerLatDegree]
  const [u, v] = [(lon2 - lon1) * metresPerLonDegree, (lat2 - lat1) * metresPerLatDegree]
  const lengthSquared = u * u + v * v
  const part = lengthSquared === 0 ? 0 : Math.min(Math.max(-(x1 * u + y1 * v) / lengthSquared, 0), 1)
  return Math.hypot(x1 + u * part, y1 + v * part)
}
