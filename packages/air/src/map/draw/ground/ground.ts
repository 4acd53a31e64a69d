/**
 * The ground of the map: sea, land, borders, grid, own tiles and own GeoJSON, range rings, areas.
 * In: what is to be drawn, and a view. Out: a drawn layer. It changes seldom, so that most frames only copy it.
 */
import type { AirArea } from '@posrep/spec'
import { isActive } from '../../model/areas.ts'
import { toX, toY } from '../../model/mercator.ts'
import { roundUp } from '../../model/steps.ts'
import { nearestX, toPixelY, type View } from '../../model/view.ts'
import { datums, toAltitudeText } from '../../model/words.ts'
import { begin, type Layer } from '../layer.ts'
import { drawSensors, type SensorsOnGround } from '../sensors.ts'
import { write } from '../text.ts'
import type { Theme } from '../theme.ts'
import { type Line, tracePath } from './land.ts'
import type { Tiles } from './tiles.ts'

export interface Ground extends SensorsOnGround {
  land: readonly Line[]
  basemap: readonly Line[]
  tiles: Tiles | undefined
  areas: readonly AirArea[]
  hasAreas: boolean
  nowMs: number
}

export function drawGround(layer: Layer, outer: View, ratio: number, ground: Ground): void {
  begin(layer, outer, ratio)
  const { context, view } = layer
  const { theme, land, basemap, tiles } = ground
  context.fillStyle = theme.sea
  context.fillRect(0, 0, view.width, view.height)
  // Also below tiles, for those that are missing.
  context.beginPath()
  tracePath(context, view, land, false)
  context.fillStyle = theme.land
  context.fill('evenodd')
  tiles?.draw(context, view)
  if (!tiles) {
    drawGrid(context, view, theme)
    stroke(context, theme.coast, 1, () => tracePath(context, view, land, false))
    stroke(context, theme.border, 1, () => tracePath(context, view, land, true))
  }
  stroke(context, theme.textQuiet, 1, () => tracePath(context, view, basemap, true))
  if (ground.hasAreas) for (const area of ground.areas) drawArea(context, view, area, ground)
  drawSensors(context, view, ground)
}

function stroke(context: CanvasRenderingContext2D, colour: string, width: number, path: () => void): void {
  context.beginPath()
  path()
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke()
}

/** Meridians and parallels at round degrees, about 160 pixels apart. */
function drawGrid(context: CanvasRenderingContext2D, view: View, theme: Theme): void {
  const step = Math.min(30, roundUp((160 / view.scale) * 360))
  const left = (view.x - view.width / 2 / view.scale) * 360 - 180
  const right = (view.x + view.width / 2 / view.scale) * 360 - 180
  stroke(context, theme.grid, 1, () => {
    for (let lon = Math.ceil(left / step) * step; lon <= right; lon += step) {
      const px = Math.round(((lon + 180) / 360 - view.x) * view.scale + view.width / 2) + 0.5
      context.moveTo(px, 0)
      context.lineTo(px, view.height)
    }
    for (let lat = -Math.floor(84 / step) * step; lat <= 84; lat += step) {
      const py = Math.round(toPixelY(view, toY(lat))) + 0.5
      if (py < 0 || py > view.height) continue
      context.moveTo(0, py)
      context.lineTo(view.width, py)
    }
  })
}

function drawArea(context: CanvasRenderingContext2D, view: View, area: AirArea, { theme, units, nowMs }: Ground): void {
  const { name, floor, ceiling } = area.properties
  const isActiveNow = isActive(area, nowMs)
  context.beginPath()
  let [top, left] = [Infinity, Infinity]
  let right = -Infinity
  const [first] = area.geometry.coordinates[0] ?? []
  const centre = nearestX(toX(first?.[0] ?? 0), view.x)
  for (const ring of area.geometry.coordinates) {
    for (const [index, [lon = 0, lat = 0]] of ring.entries()) {
      const px = (nearestX(toX(lon), centre) - view.x) * view.scale + view.width / 2
      const py = toPixelY(view, toY(lat))
      if (index === 0) context.moveTo(px, py)
      else context.lineTo(px, py)
      ;[top, left, right] = [Math.min(top, py), Math.min(left, px), Math.max(right, px)]
    }
    context.closePath()
  }
  context.globalAlpha = isActiveNow ? 0.12 : 0.05
  context.fillStyle = theme.area
  context.fill('evenodd')
  context.globalAlpha = 1
  context.strokeStyle = theme.area
  context.lineWidth = 1.5
  context.setLineDash(isActiveNow ? [] : [6, 4])
  context.stroke()
  context.setLineDash([])
  if (right - left < 40) return
  const limit = (height: typeof floor, none: string) =>
    height ? `${toAltitudeText(height.height, units)} ${datums[height.datum].short}` : none
  const text = `${limit(floor, 'ground')} – ${limit(ceiling, 'unlimited')}${isActiveNow ? '' : ', not active'}`
  write(context, name, (left + right) / 2, top - 18, theme.area, theme, '600 12px')
  write(context, text, (left + right) / 2, top - 5, theme.area, theme, '11px')
}
