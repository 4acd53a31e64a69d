/** Places and airports with their names, read from the bytes that `build/places.ts` wrote. In: bytes. Out: groups. */
import { createNumberReader } from './number-reader.ts'

/** Places that are shown from the same zoom on. */
export interface PlaceGroup {
  isAirport: boolean
  zoom: number
  /** x, y, x, y … of the projection. */
  points: Float32Array
  names: string[]
}

export function readPlaces(bytes: Uint8Array, isAirport: boolean): PlaceGroup[] {
  const { number, points, at } = createNumberReader(bytes)
  const groups: PlaceGroup[] = []
  for (let zoom = number(); zoom > 0; zoom = number()) {
    groups.push({ isAirport, zoom, points: points(number()), names: [] })
  }
  const names = new TextDecoder().decode(bytes.subarray(at())).split('\n')
  let first = 0
  for (const group of groups) {
    const last = first + group.points.length / 2
    group.names = names.slice(first, last)
    first = last
  }
  return groups
}

/** Of tiles. */
export function toZoom(scale: number): number {
  return Math.log2(scale / 256)
}
