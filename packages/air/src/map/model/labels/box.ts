/** Rectangles on the map, in pixels. */

/** Left, top, right, bottom. */
export type Box = [number, number, number, number]

export function isInside(inner: Box, outer: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/** A box that is larger by this many pixels on each side. */
export function boxAround([left, top, right, bottom]: Box, by: number): Box {
  return [left - by, top - by, right + by, bottom + by]
}

export function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}
