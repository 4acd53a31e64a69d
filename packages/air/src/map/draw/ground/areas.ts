/**
 * The areas on the ground, each with its name and its limits above it.
 * In: areas, and a view. Out: drawn pixels; the boxes of the texts.
 */
import type { AirArea } from '@posrep/spec'
import { isActive } from '../../model/areas.ts'
import type { Box } from '../../model/labels/box.ts'
import { toX, toY } from '../../model/mercator.ts'
import { nearestX, toPixelY, type View } from '../../model/view.ts'
import { datums, toAltitudeText, type Units } from '../../model/words.ts'
import { write } from '../text.ts'
import type { Theme } from '../theme.ts'

export interface DrawAreas {
  areas: readonly AirArea[]
  units: Units
  nowMs: number
  theme: Theme
}

/** A narrower area, in pixels, has no texts. */
const leastWidth = 40
/** From the top of the area up to the bases of its texts, and from those up to the tops of the letters, in pixels. */
const [limitsAt, nameAt, letters] = [5, 18, 11]
/** How far the letters of the limits reach below their base, in pixels. */
const descent = 3

export function drawAreas(
  context: CanvasRenderingContext2D,
  view: View,
  { areas, units, nowMs, theme }: DrawAreas,
): Box[] {
  const texts: Box[] = []
  for (const area of areas) {
    const isActiveNow = isActive(area, nowMs)
    context.beginPath()
    const [left, top, right] = trace(context, view, area)
    context.globalAlpha = isActiveNow ? 0.12 : 0.05
    context.fillStyle = theme.area
    context.fill('evenodd')
    context.globalAlpha = 1
    context.strokeStyle = theme.area
    context.lineWidth = 1.5
    context.setLineDash(isActiveNow ? [] : [6, 4])
    context.stroke()
    context.setLineDash([])
    if (right - left < leastWidth) continue
    const px = (left + right) / 2
    const limits = `${toLimits(area, units)}${isActiveNow ? '' : ', not active'}`
    const width = Math.max(
      write(context, area.properties.name, px, top - nameAt, theme.area, theme, '600 12px'),
      write(context, limits, px, top - limitsAt, theme.area, theme, '11px'),
    )
    texts.push([px - width / 2, top - nameAt - letters, px + width / 2, top - limitsAt + descent])
  }
  return texts
}

/** Out: the left, the top and the right end of the area, in pixels. */
function trace(
  context: CanvasRenderingContext2D,
  view: View,
  { geometry: { coordinates } }: AirArea,
): [number, number, number] {
  let [left, top, right] = [Infinity, Infinity, -Infinity]
  const [first] = coordinates[0] ?? []
  const centre = nearestX(toX(first?.[0] ?? 0), view.x)
  for (const ring of coordinates) {
    for (const [index, [lon = 0, lat = 0]] of ring.entries()) {
      const px = (nearestX(toX(lon), centre) - view.x) * view.scale + view.width / 2
      const py = toPixelY(view, toY(lat))
      if (index === 0) context.moveTo(px, py)
      else context.lineTo(px, py)
      ;[left, top, right] = [Math.min(left, px), Math.min(top, py), Math.max(right, px)]
    }
    context.closePath()
  }
  return [left, top, right]
}

function toLimits({ properties: { floor, ceiling } }: AirArea, units: Units): string {
  const limit = (height: typeof floor, none: string) =>
    height ? `${toAltitudeText(height.height, units)} ${datums[height.datum].short}` : none
  return `${limit(floor, 'ground')} – ${limit(ceiling, 'unlimited')}`
}
