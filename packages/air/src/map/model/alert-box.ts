/**
 * What the map shows for an alert: its targets, and where those of a conflict will be closest.
 * In: the alert and its targets. Out: a box of the projection.
 */
import type { AirAlert } from '@posrep/spec'
import { toX, toY } from './mercator.ts'
import type { Target } from './target.ts'
import { nearestX } from './view.ts'

/** @param x The box is in the copy of the world that is nearest to it. */
export function toAlertBox(alert: AirAlert, targets: readonly Pick<Target, 'shownX' | 'shownY'>[], x: number) {
  const closest = alert.conflict?.tracks.map(({ closestPosition }) => closestPosition) ?? []
  const xs = [...targets.map(({ shownX }) => shownX), ...closest.map(({ lon }) => toX(lon))].map((one) =>
    nearestX(one, x),
  )
  const ys = [...targets.map(({ shownY }) => shownY), ...closest.map(({ lat }) => toY(lat))]
  return { west: Math.min(...xs), east: Math.max(...xs), north: Math.min(...ys), south: Math.max(...ys) }
}
