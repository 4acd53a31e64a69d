/**
 * Places and airports with their names, read from the bytes that `build/places.ts` wrote, and drawn.
 * In: bytes; a view. Out: names on a canvas, those of larger places first; a name that has no room is left out.
 */
import { type Box, overlap } from '../../model/labels/box.ts'
import { nearestX, toPixelY, type View } from '../../model/view.ts'
import { write } from '../text.ts'
import type { Theme } from '../theme.ts'
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

/** From this zoom on, an airport has its name beside its code. */
const fullNameZoom = 11
/** A name is large when the map is closer than this many zooms to where its place appeared. */
const largeForZooms = 4
const lineHeight = 14
const mark = 4

/** @param taken Where no name may be. */
export function drawPlaces(
  context: CanvasRenderingContext2D,
  view: View,
  groups: readonly PlaceGroup[],
  { theme, taken }: { theme: Theme; taken: readonly Box[] },
): void {
  const zoom = toZoom(view.scale)
  const boxes = [...taken]
  const shown = groups.filter((group) => group.zoom <= zoom).sort((a, b) => a.zoom - b.zoom)
  for (const { points, names, isAirport, zoom: fromZoom } of shown) {
    const font = zoom - fromZoom > largeForZooms ? '600 13px' : '12px'
    for (let index = 0; index < points.length; index += 2) {
      const py = toPixelY(view, points[index + 1] ?? 0)
      if (py < 0 || py > view.height) continue
      const px = (nearestX(points[index] ?? 0, view.x) - view.x) * view.scale + view.width / 2
      if (px < 0 || px > view.width) continue
      const name = names[index / 2] ?? ''
      const text = isAirport && zoom < fullNameZoom ? (name.split(' ', 1)[0] ?? '') : name
      const half = text.length * 3.6
      const box: Box = [px - half, py - mark, px + half, py + mark + lineHeight]
      if (boxes.some((other) => overlap(box, other))) continue
      boxes.push(box)
      if (isAirport) markAirport(context, px, py, theme)
      else markPlace(context, px, py, theme)
      write(context, text, px, py + mark + 11, isAirport ? theme.ringText : theme.textQuiet, theme, font)
    }
  }
}

function markPlace(context: CanvasRenderingContext2D, px: number, py: number, theme: Theme): void {
  context.fillStyle = theme.textQuiet
  context.fillRect(px - 1.5, py - 1.5, 3, 3)
}

/** A circle with a runway across it. */
function markAirport(context: CanvasRenderingContext2D, px: number, py: number, theme: Theme): void {
  context.strokeStyle = theme.ringText
  context.lineWidth = 1.2
  context.beginPath()
  context.arc(px, py, mark, 0, 2 * Math.PI)
  context.moveTo(px - mark, py + mark)
  context.lineTo(px + mark, py - mark)
  context.stroke()
}
