/**
 * Conflicts on the map: both targets, lines to where they will be closest, and a text with time and distance.
 * In: the picture, and where texts may be. Out: what is to be drawn, with the boxes of the texts for the layout of
 * labels.
 */
import type { AirAlert } from '@posrep/spec'
import type { Box } from '../model/labels/box.ts'
import { type Plate, placePlates } from '../model/labels/plate-layout.ts'
import { toX, toY } from '../model/mercator.ts'
import type { Picture } from '../model/picture.ts'
import { toPixelX, toPixelY, type View } from '../model/view.ts'
import { toAltitudeText, toDistanceText, type Units } from '../model/words.ts'
import type { Theme } from './theme.ts'

export interface ConflictOnMap {
  ends: [End, End]
  text: string
  /**
   * Undefined without texts, if the point of the least distance is not on the map, or if it would cover a target in
   * conflict.
   */
  plate: Box | undefined
}

interface Point {
  px: number
  py: number
}

interface End {
  from: Point
  closest: Point
}

export interface PlaceConflicts {
  view: View
  theme: Theme
  units: Units
  nowMs: number
  /** Where texts may be. */
  free: Box
  /** Where another text is. */
  taken: readonly Box[]
  /** A small map has only the lines. */
  hasTexts: boolean
}

const ringRadius = 16
const padding = 7

export function placeConflicts(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { view, theme, units, nowMs, free, taken, hasTexts }: PlaceConflicts,
): ConflictOnMap[] {
  const found = picture.alerts.flatMap((alert) => {
    const ends = alert.state === 'active' ? toEnds(alert, picture, view) : undefined
    return ends && alert.conflict ? [{ ends, text: toText(alert.conflict, units, nowMs) }] : []
  })
  context.font = fontOf(theme)
  const shown = (hasTexts ? found : []).flatMap((conflict) => {
    const plate = toPlate(conflict.ends, context.measureText(conflict.text).width, view)
    return plate ? [{ conflict, plate }] : []
  })
  const targets = found.flatMap(({ ends }) => ends.map(({ from }) => toRing(from)))
  const boxes = placePlates(
    shown.map(({ plate }) => plate),
    free,
    { taken, targets },
  )
  return found.map((conflict) => ({
    ...conflict,
    plate: boxes[shown.findIndex((one) => one.conflict === conflict)],
  }))
}

export function drawConflicts(
  context: CanvasRenderingContext2D,
  conflicts: readonly ConflictOnMap[],
  theme: Theme,
): void {
  for (const { ends } of conflicts) drawLines(context, ends, theme)
  for (const { text, plate } of conflicts) if (plate) drawPlate(context, text, plate, theme)
}

/** Undefined if one of both targets is filtered out, or unknown. */
function toEnds({ conflict }: AirAlert, picture: Picture, view: View): [End, End] | undefined {
  const [a, b] = (conflict?.tracks ?? []).flatMap(({ trackId, closestPosition: { lat, lon } }): End[] => {
    const target = picture.find(trackId)
    if (!target?.isWanted) return []
    const from = { px: toPixelX(view, target.shownX), py: toPixelY(view, target.shownY) }
    return [{ from, closest: { px: toPixelX(view, toX(lon)), py: toPixelY(view, toY(lat)) } }]
  })
  return a && b && [a, b]
}

function toText(conflict: NonNullable<AirAlert['conflict']>, units: Units, nowMs: number): string {
  const seconds = Math.max(0, Math.round((Date.parse(conflict.closestAt) - nowMs) / 1_000))
  const { horizontalMetres, verticalMetres } = conflict
  const vertical = verticalMetres === null ? '' : `, ${toAltitudeText(verticalMetres, units)} vertically`
  return `${seconds === 0 ? 'now' : `in ${seconds} s`}: ${toDistanceText(horizontalMetres, units)}${vertical}`
}

function toPlate([a, b]: [End, End], textWidth: number, { width, height }: View): Plate | undefined {
  const [px, py] = [(a.closest.px + b.closest.px) / 2, (a.closest.py + b.closest.py) / 2]
  if (px < 0 || py < 0 || px > width || py > height) return undefined
  return { px, py, width: textWidth + 2 * padding }
}

function toRing({ px, py }: Point): Box {
  return [px - ringRadius, py - ringRadius, px + ringRadius, py + ringRadius]
}

function drawLines(context: CanvasRenderingContext2D, ends: [End, End], theme: Theme): void {
  const [a, b] = ends
  context.strokeStyle = theme.alert
  context.lineWidth = 1.6
  context.setLineDash([6, 4])
  context.beginPath()
  for (const { from, closest } of ends) {
    context.moveTo(from.px, from.py)
    context.lineTo(closest.px, closest.py)
  }
  context.stroke()
  context.setLineDash([])
  context.lineWidth = 3
  context.beginPath()
  context.moveTo(a.closest.px, a.closest.py)
  context.lineTo(b.closest.px, b.closest.py)
  context.stroke()
  for (const { closest } of ends) {
    context.beginPath()
    context.arc(closest.px, closest.py, 4, 0, 2 * Math.PI)
    context.fillStyle = theme.halo
    context.fill()
    context.lineWidth = 1.6
    context.stroke()
  }
}

function drawPlate(
  context: CanvasRenderingContext2D,
  text: string,
  [left, top, right, bottom]: Box,
  theme: Theme,
): void {
  context.font = fontOf(theme)
  context.textAlign = 'center'
  context.fillStyle = theme.halo
  context.strokeStyle = theme.alert
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(left, top, right - left, bottom - top, 4)
  context.fill()
  context.stroke()
  context.fillStyle = theme.alert
  context.fillText(text, (left + right) / 2, (top + bottom) / 2 + 4, right - left - padding)
  context.textAlign = 'start'
}

function fontOf(theme: Theme): string {
  return `600 12px ${theme.font}`
}
