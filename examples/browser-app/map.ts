/**
 * A small map, without tiles: aircraft where they are, as arrows in their direction, with a scale.
 * In: aircraft. Out: the content of the SVG. A plain projection is enough for the range of a sensor.
 */
import { element } from './page.ts'
import type { Aircraft } from './positions.ts'

const margin = 40
const labelHeight = 12
const labelWidth = 64
const metresPerDegree = 111_320

interface Point {
  x: number
  y: number
}

export function drawMap(aircraft: [id: string, Aircraft][]): void {
  const map = element('map')
  const { clientWidth: width, clientHeight: height } = map
  if (width === 0 || aircraft.length === 0) return
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
  const labels: Point[] = []
  const drawn = aircraft.map(([, one]) => {
    const point = toPoint(one.position.position)
    // Near the right edge the name is on the left.
    const label = { x: point.x > width - labelWidth ? point.x - labelWidth : point.x, y: point.y }
    // A name that would cover another is left out: the table has it.
    const isFree = !one.position.onGround && labels.every((other) => !overlap(label, other))
    if (isFree) labels.push(label)
    return drawAircraft(one, point, isFree && (label.x < point.x ? 'left' : 'right'))
  })
  map.setAttribute('viewBox', `0 0 ${width} ${height}`)
  map.replaceChildren(...drawn, drawScale(pixelsPerDegree, { width, height }))
}

function overlap(a: Point, b: Point): boolean {
  return Math.abs(a.x - b.x) < labelWidth && Math.abs(a.y - b.y) < labelHeight
}

function drawAircraft({ name, position }: Aircraft, { x, y }: Point, labelled: 'left' | 'right' | false): SVGElement {
  const group = svg('g', { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` })
  const { x: east, y: north } = position.groundVelocity ?? {}
  if (position.onGround) group.append(svg('circle', { r: 2.5, class: 'on-ground' }))
  else if (east === undefined || north === undefined) group.append(svg('circle', { r: 4 }))
  else {
    const degrees = (Math.atan2(east, north) * 180) / Math.PI
    group.append(svg('path', { d: 'M0 -7 L5 6 L0 3 L-5 6 Z', transform: `rotate(${degrees.toFixed(0)})` }))
  }
  if (labelled) {
    const isLeft = labelled === 'left'
    const place = { x: isLeft ? -9 : 9, y: 4, 'text-anchor': isLeft ? 'end' : 'start' }
    group.append(withText(svg('text', place), name))
  }
  return group
}

/** A line of a round length, at most a third of the width. */
function drawScale(pixelsPerDegree: number, { width, height }: { width: number; height: number }): SVGElement {
  const longest = ((width / 3) * metresPerDegree) / pixelsPerDegree
  const power = 10 ** Math.floor(Math.log10(longest))
  const metres = power * ([5, 2, 1].find((factor) => factor * power <= longest) ?? 1)
  const pixels = (metres / metresPerDegree) * pixelsPerDegree
  const group = svg('g', { class: 'scale', transform: `translate(12 ${height - 12})` })
  const text = metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m`
  group.append(svg('path', { d: `M0 -4 V0 H${pixels.toFixed(0)} V-4` }), withText(svg('text', { x: 4, y: -6 }), text))
  return group
}

function withText(made: SVGElement, text: string): SVGElement {
  made.textContent = text
  return made
}

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

function middleOf(values: number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2
}

function spanOf(values: number[]): number {
  return Math.max(...values) - Math.min(...values)
}
