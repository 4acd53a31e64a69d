/**
 * A small map, without tiles: aircraft where they are, as arrows in their direction, with a scale.
 * In: aircraft. Out: the content of the SVG. A plain projection is enough for the range of a sensor.
 */

import { element } from './page.ts'
import type { Aircraft } from './positions.ts'

const width = 480
const height = 360
const margin = 40
const metresPerDegree = 111_320

interface Point {
  x: number
  y: number
}

export function drawMap(aircraft: [id: string, Aircraft][]): void {
  const places = aircraft.map(([, { position }]) => position.position)
  const lats = places.map(({ lat }) => lat)
  const lons = places.map(({ lon }) => lon)
  const middle = { lat: middleOf(lats), lon: middleOf(lons) }
  const shrink = Math.cos((middle.lat * Math.PI) / 180)
  const pixelsPerDegree = Math.min(
    (width - 2 * margin) / Math.max(spanOf(lons) * shrink, 0.02),
    (height - 2 * margin) / Math.max(spanOf(lats), 0.02),
  )
  const toPoint = ({ lat, lon }: { lat: number; lon: number }): Point => ({
    x: width / 2 + (lon - middle.lon) * shrink * pixelsPerDegree,
    y: height / 2 - (lat - middle.lat) * pixelsPerDegree,
  })
  const arrows = aircraft.map(([, one]) => drawAircraft(one, toPoint(one.position.position)))
  element('map').replaceChildren(...arrows, ...(aircraft.length > 0 ? [drawScale(pixelsPerDegree)] : []))
}

function drawAircraft({ name, position }: Aircraft, { x, y }: Point): SVGElement {
  const group = svg('g', { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` })
  if (position.onGround) {
    group.append(svg('circle', { r: 2.5, class: 'on-ground' }))
    return group
  }
  const { x: east, y: north } = position.groundVelocity ?? {}
  const isMoving = east !== undefined && north !== undefined
  const degrees = isMoving ? (Math.atan2(east, north) * 180) / Math.PI : 0
  group.append(
    isMoving
      ? svg('path', { d: 'M0 -7 L5 6 L0 3 L-5 6 Z', transform: `rotate(${degrees.toFixed(0)})` })
      : svg('circle', { r: 4 }),
  )
  // At the right edge the name is on the left.
  const label = x > width - 80 ? svg('text', { x: -9, y: 4, 'text-anchor': 'end' }) : svg('text', { x: 9, y: 4 })
  label.textContent = name
  group.append(label)
  return group
}

/** A line of a round length, at most a third of the width. */
function drawScale(pixelsPerDegree: number): SVGElement {
  const longest = ((width / 3) * metresPerDegree) / pixelsPerDegree
  const power = 10 ** Math.floor(Math.log10(longest))
  const metres = power * ([5, 2, 1].find((factor) => factor * power <= longest) ?? 1)
  const pixels = (metres / metresPerDegree) * pixelsPerDegree
  const group = svg('g', { class: 'scale', transform: `translate(12 ${height - 12})` })
  const label = svg('text', { x: 4, y: -6 })
  label.textContent = metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m`
  group.append(svg('path', { d: `M0 -4 V0 H${pixels.toFixed(0)} V-4` }), label)
  return group
}

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

function middleOf(values: number[]): number {
  return values.length === 0 ? 0 : (Math.min(...values) + Math.max(...values)) / 2
}

function spanOf(values: number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)
}
