/**
 * The ground of the map: sea, land, borders, grid, own tiles and own GeoJSON, range rings, areas.
 * In: what is to be drawn, and a view. Out: a drawn layer. It changes seldom, so that most frames only copy it.
 */
import type { Box } from '../../model/labels/box.ts'
import { toY } from '../../model/mercator.ts'
import { roundUp } from '../../model/steps.ts'
import { toPixelY, type View } from '../../model/view.ts'
import { begin, type Layer } from '../layer.ts'
import { drawSensors, type SensorsOnGround } from '../sensors.ts'
import type { Theme } from '../theme.ts'
import { type DrawAreas, drawAreas } from './areas.ts'
import { type Line, tracePath } from './land.ts'
import type { Tiles } from './tiles.ts'

export interface Ground extends SensorsOnGround, DrawAreas {
  land: readonly Line[]
  basemap: readonly Line[]
  tiles: Tiles | undefined
  hasAreas: boolean
}

/** Returns the boxes of its texts, in pixels of the map. */
export function drawGround(layer: Layer, outer: View, ratio: number, ground: Ground): Box[] {
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
  const texts = ground.hasAreas ? drawAreas(context, view, ground) : []
  drawSensors(context, view, ground)
  const [dx, dy] = [(view.width - outer.width) / 2, (view.height - outer.height) / 2]
  return texts.map(([left, top, right, bottom]) => [left - dx, top - dy, right - dx, bottom - dy])
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
