/** Conflicts on the map: both targets, lines to where they will be closest, with time and distance. */
import type { AirAlert } from '@posrep/spec'
import { toX, toY } from '../model/mercator.ts'
import type { Picture } from '../model/picture.ts'
import { toPixelX, toPixelY, type View } from '../model/view.ts'
import { toAltitudeText, toDistanceText, type Units } from '../model/words.ts'
import type { Theme } from './theme.ts'

/** From the closest point to the middle of the text: where targets meet, their labels are above it. */
const belowLabels = 44

export function drawConflicts(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { view, theme, units, nowMs }: { view: View; theme: Theme; units: Units; nowMs: number },
): void {
  for (const alert of picture.alerts) if (alert.state === 'active') drawConflict(alert)

  function drawConflict({ conflict }: AirAlert): void {
    if (!conflict) return
    const ends = conflict.tracks.flatMap(({ trackId, closestPosition }) => {
      const target = picture.find(trackId)
      const closest = { px: toPixelX(view, toX(closestPosition.lon)), py: toPixelY(view, toY(closestPosition.lat)) }
      if (!target?.isWanted) return []
      return [{ from: { px: toPixelX(view, target.shownX), py: toPixelY(view, target.shownY) }, closest }]
    })
    const [a, b] = ends
    if (!a || !b) return
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
    const seconds = Math.max(0, Math.round((Date.parse(conflict.closestAt) - nowMs) / 1_000))
    const vertical = conflict.verticalMetres
    const text = `${seconds === 0 ? 'now' : `in ${seconds} s`}: ${toDistanceText(conflict.horizontalMetres, units)}${
      vertical === null ? '' : `, ${toAltitudeText(vertical, units)} vertically`
    }`
    plate(text, (a.closest.px + b.closest.px) / 2, (a.closest.py + b.closest.py) / 2 + belowLabels)
  }

  function plate(text: string, px: number, py: number): void {
    context.font = `600 12px ${theme.font}`
    context.textAlign = 'center'
    const width = context.measureText(text).width + 14
    context.fillStyle = theme.halo
    context.strokeStyle = theme.alert
    context.lineWidth = 1
    context.beginPath()
    context.roundRect(px - width / 2, py - 10, width, 20, 4)
    context.fill()
    context.stroke()
    context.fillStyle = theme.alert
    context.fillText(text, px, py + 4)
    context.textAlign = 'start'
  }
}
