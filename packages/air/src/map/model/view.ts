/**
 * Which part of the world the map shows. In: pixels of the page. Out: a view; views are never changed, only replaced.
 */
import type { Box } from './labels/box.ts'
import { earthMetres, toLat } from './mercator.ts'

export interface View {
  /** The centre, as x and y of the projection. x may leave 0 to 1 when the map was moved around the world. */
  readonly x: number
  readonly y: number
  /** Pixels for the width of the world. */
  readonly scale: number
  readonly width: number
  readonly height: number
}

/** From the whole world to 20 cm for a pixel. */
const maxScale = 2e8

export function toView(view: View): View {
  const minScale = Math.max(256, view.width * 0.9, view.height * 0.9)
  const scale = Math.min(maxScale, Math.max(minScale, view.scale))
  const half = view.height / 2 / scale
  return { ...view, scale, y: half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, view.y)) }
}

export function moveBy(view: View, dxPixels: number, dyPixels: number): View {
  return toView({ ...view, x: view.x - dxPixels / view.scale, y: view.y - dyPixels / view.scale })
}

/** Zooms by a factor; what is at this pixel stays there. */
export function zoomAt(view: View, factor: number, px = view.width / 2, py = view.height / 2): View {
  const next = toView({ ...view, scale: view.scale * factor })
  const [dx, dy] = [px - view.width / 2, py - view.height / 2]
  return toView({
    ...next,
    x: view.x + dx / view.scale - dx / next.scale,
    y: view.y + dy / view.scale - dy / next.scale,
  })
}

/** Zooms on the selected target where it is in view, so that it stays there; otherwise on the middle. */
export function zoomOn(view: View, factor: number, selected: { px: number; py: number } | undefined): View {
  if (!selected) return zoomAt(view, factor)
  const { px, py } = selected
  const isInView = px >= 0 && py >= 0 && px <= view.width && py <= view.height
  return isInView ? zoomAt(view, factor, px, py) : zoomAt(view, factor)
}

export interface Margins {
  top: number
  right: number
  bottom: number
  left: number
}

const edge = 6

/** What the margins leave free, with a narrow edge. */
export function toFree({ width, height }: View, { top, right, bottom, left }: Margins): Box {
  return [left + edge, top + edge, width - right - edge, height - bottom - edge]
}

/** Moves a place to the middle of what the margins leave free. */
export function centreOn(view: View, x: number, y: number, { top, right, bottom, left }: Margins): View {
  return toView({
    ...view,
    x: nearestX(x, view.x) + (right - left) / 2 / view.scale,
    y: y + (bottom - top) / 2 / view.scale,
  })
}

export function fit(
  view: View,
  box: { west: number; east: number; north: number; south: number },
  margins: Margins,
  maxPixelsPerMetre = 0.02,
): View {
  const [innerWidth, innerHeight] = [
    Math.max(80, view.width - margins.left - margins.right),
    Math.max(80, view.height - margins.top - margins.bottom),
  ]
  const y = (box.north + box.south) / 2
  const most = maxPixelsPerMetre * earthMetres * Math.cos((toLat(y) * Math.PI) / 180)
  const scale = Math.min(
    most,
    innerWidth / Math.max(1e-9, box.east - box.west),
    innerHeight / Math.max(1e-9, box.south - box.north),
  )
  const sized = toView({ ...view, scale })
  return toView({
    ...sized,
    x: (box.west + box.east) / 2 + (margins.right - margins.left) / 2 / sized.scale,
    y: y + (margins.bottom - margins.top) / 2 / sized.scale,
  })
}

/** The same place, in the copy of the world that is nearest to the centre. */
export function nearestX(x: number, centre: number): number {
  return x - Math.round(x - centre)
}

export function toPixelX(view: View, x: number): number {
  return (nearestX(x, view.x) - view.x) * view.scale + view.width / 2
}

export function toPixelY(view: View, y: number): number {
  return (y - view.y) * view.scale + view.height / 2
}

export function metresPerPixel(view: View): number {
  return (earthMetres * Math.cos((toLat(view.y) * Math.PI) / 180)) / view.scale
}
