/**
 * What the map shows before the user moves it: the targets, and the sensors that say where they are.
 * In: a picture. Out: a box of the projection; undefined if there is nothing.
 */
import { toX, toY } from './mercator.ts'
import type { Picture } from './picture.ts'
import type { Target } from './target.ts'
import { nearestX } from './view.ts'

/** @param device Only this sensor, beside the targets that pass the filters. */
export function toFirstBox({ wanted, sensors }: Picture, device: string | undefined) {
  const places = [...sensors.values()]
    .filter(({ deviceId }) => device === undefined || deviceId === device)
    .flatMap(({ position }) => (position ? [{ x: toX(position.lon), y: toY(position.lat) }] : []))
  const all = [...trim(wanted()), ...places]
  const [first] = all
  if (!first) return undefined
  const xs = all.map(({ x }) => nearestX(x, first.x))
  const ys = all.map(({ y }) => y)
  return { west: least(xs), east: -least(xs.map((x) => -x)), north: least(ys), south: -least(ys.map((y) => -y)) }
}

/** Without the few that are far away from all others. */
function trim(places: Pick<Target, 'x' | 'y'>[]): Pick<Target, 'x' | 'y'>[] {
  if (places.length < 20) return places
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const [x, y] = [middle(places.map((place) => place.x)), middle(places.map((place) => place.y))]
  const byDistance = places
    .map((place) => ({ place, distance: Math.hypot(nearestX(place.x, x) - x, place.y - y) }))
    .sort((a, b) => a.distance - b.distance)
  return byDistance.slice(0, Math.ceil(places.length * 0.98)).map(({ place }) => place)
}

function least(values: number[]): number {
  return values.reduce((a, b) => Math.min(a, b))
}
