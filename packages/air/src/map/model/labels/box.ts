/** Rectangles on the map, in pixels. */

/** Left, top, right, bottom. */
export type Box = [number, number, number, number]

export function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}
