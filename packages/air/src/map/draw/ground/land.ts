/**
 * Land and borders, read from the bytes that `build/land.ts` wrote, and drawn.
 * In: bytes; a view. Out: a path on a canvas. Lines outside the view are left out, and of lines that leave it the part
 * outside.
 */
import { toPixelY, type View } from '../../model/view.ts'
import { createNumberReader } from './number-reader.ts'

export interface Line {
  isBorder: boolean
  /** x, y, x, y … of the projection. */
  points: Float32Array | Float64Array
  west: number
  east: number
  north: number
  south: number
}

export function readLand(bytes: Uint8Array): Line[] {
  const { number, points, at } = createNumberReader(bytes)
  const lines: Line[] = []
  while (at() < bytes.length) {
    const head = number()
    lines.push(toLine(points(Math.floor(head / 2)), head % 2 === 1))
  }
  return lines
}

export function toLine(points: Line['points'], isBorder: boolean): Line {
  let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let index = 0; index < points.length; index += 2) {
    const [x, y] = [points[index] ?? 0, points[index + 1] ?? 0]
    if (x < west) west = x
    if (x > east) east = x
    if (y < north) north = y
    if (y > south) south = y
  }
  return { isBorder, points, west, east, north, south }
}

/** Adds the lines of one kind to the path, in each copy of the world that the view shows. */
export function tracePath(
  context: CanvasRenderingContext2D,
  view: View,
  lines: readonly Line[],
  isBorder: boolean,
): void {
  const half = view.width / 2 / view.scale
  const [north, south] = [view.y - view.height / 2 / view.scale, view.y + view.height / 2 / view.scale]
  for (let copy = Math.floor(view.x - half); copy <= Math.floor(view.x + half); copy++) {
    const [west, east] = [view.x - half - copy, view.x + half - copy]
    for (const line of lines) {
      if (line.isBorder !== isBorder) continue
      if (line.east < west || line.west > east || line.south < north || line.north > south) continue
      trace(context, view, line, copy)
    }
  }
}

/** How far outside the view a point has to be to be left out, in pixels; more than a line is wide. */
const outside = 64

function trace(context: CanvasRenderingContext2D, view: View, { points, isBorder }: Line, copy: number): void {
  const { scale, width, height } = view
  const left = (copy - view.x) * scale + width / 2
  const top = toPixelY(view, 0)
  let lastSide = 0
  let [skippedX, skippedY, isSkipped] = [0, 0, false]
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (let index = 0; index < points.length; index += 2) {
    const px = (points[index] ?? 0) * scale + left
    const py = (points[index + 1] ?? 0) * scale + top
    const side =
      (px < -outside ? 1 : px > width + outside ? 2 : 0) | (py < -outside ? 4 : py > height + outside ? 8 : 0)
    // Points on the same side of the view change nothing inside it. The last of them is drawn, so that the line comes
    // back right.
    if (index > 0 && (side & lastSide) !== 0) {
      ;[skippedX, skippedY, isSkipped] = [px, py, true]
      lastSide &= side
      continue
    }
    if (isSkipped) context.lineTo(skippedX, skippedY)
    isSkipped = false
    lastSide = side
    // Less than a pixel away from the last point.
    if (Math.abs(px - lastX) < 0.7 && Math.abs(py - lastY) < 0.7) continue
    if (index === 0) context.moveTo(px, py)
    else context.lineTo(px, py)
    ;[lastX, lastY] = [px, py]
  }
  if (isSkipped) context.lineTo(skippedX, skippedY)
  if (!isBorder) context.closePath()
}
