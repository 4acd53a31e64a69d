/** Sensors on the ground of the map: where they are, their names, and range rings. Figures of rings do not overlap. */
import type { AirSensor } from '@posrep/spec'
import { geoCircle } from 'd3-geo'
import { type Box, overlap } from '../model/labels/box.ts'
import { earthRadiusMetres, toX, toY } from '../model/mercator.ts'
import { roundUp } from '../model/steps.ts'
import { metresPerPixel, nearestX, toPixelX, toPixelY, type View } from '../model/view.ts'
import { toDistanceText, toShortDevice, type Units } from '../model/words.ts'
import { write } from './text.ts'
import type { Theme } from './theme.ts'

export interface SensorsOnGround {
  sensors: Iterable<AirSensor>
  /** All of them have rings. */
  hasRings: boolean
  /** The one that has rings all the same. */
  ringed: string | undefined
  units: Units
  theme: Theme
}

/** Rings of a sensor. */
const rings = 3
/** With more sensors than this, only the outer ring of each is drawn. */
const maxFullRings = 6
const lineHeight = 13
/** Names below each other, of sensors close together. */
const maxLines = 4

export function drawSensors(context: CanvasRenderingContext2D, view: View, ground: SensorsOnGround): void {
  const { theme, units, hasRings, ringed } = ground
  const unitMetres = units === 'metric' ? 1_000 : 1_852
  const step = roundUp((metresPerPixel(view) * 110) / unitMetres) * unitMetres
  const placed = [...ground.sensors].flatMap(({ deviceId, position }) =>
    position && (hasRings || deviceId === ringed) ? [position] : [],
  )
  const multiples = placed.length > maxFullRings ? [rings] : Array.from({ length: rings }, (_, index) => index + 1)
  /** Boxes of the rings' figures. */
  const figures: Box[] = []
  for (const position of placed) {
    for (const multiple of multiples) drawRing(context, view, position, multiple * step, ground, figures)
  }
  for (const { text, px, py, box, isSilent } of placeNames(ground.sensors, view)) {
    context.strokeStyle = theme.halo
    context.lineWidth = 5
    mark(context, px, py)
    context.strokeStyle = theme.text
    context.lineWidth = 1.6
    context.setLineDash(isSilent ? [2, 2] : [])
    mark(context, px, py)
    context.setLineDash([])
    write(context, text, px, box[3] - 2, theme.text, theme, '600 11px')
  }
}

/** The boxes of the sensors and their names, for the layout of labels. */
export function sensorBoxes(sensors: Iterable<AirSensor>, view: View): Box[] {
  return placeNames(sensors, view).flatMap(({ px, py, box }): Box[] => [[px - 8, py - 9, px + 8, py + 9], box])
}

/** Names below their sensors; those of sensors close together are below each other. */
function placeNames(sensors: Iterable<AirSensor>, view: View) {
  const boxes: Box[] = []
  return [...sensors].flatMap(({ deviceId, position, state }) => {
    if (!position) return []
    const [px, py] = [toPixelX(view, toX(position.lon)), toPixelY(view, toY(position.lat))]
    if (px < -200 || py < -200 || px > view.width + 200 || py > view.height + 200) return []
    const text = `${toShortDevice(deviceId)}${state === 'silent' ? ' (silent)' : ''}`
    const lines = Array.from({ length: maxLines }, (_, index) => toBox(text, px, py + 20 + index * lineHeight))
    const box = lines.find((one) => !boxes.some((other) => overlap(one, other))) ?? toBox(text, px, py + 20)
    boxes.push(box)
    return [{ text, px, py, box, isSilent: state === 'silent' }]
  })
}

function toBox(text: string, px: number, py: number): Box {
  const half = text.length * 3.5
  return [px - half, py - lineHeight + 2, px + half, py + 2]
}

/** A mast with waves. */
function mark(context: CanvasRenderingContext2D, px: number, py: number): void {
  context.beginPath()
  context.moveTo(px - 4, py + 7)
  context.lineTo(px, py - 1)
  context.lineTo(px + 4, py + 7)
  context.moveTo(px - 4, py - 6)
  context.arc(px, py - 2, 5.5, 1.25 * Math.PI, 0.75 * Math.PI, true)
  context.moveTo(px + 4, py - 6)
  context.arc(px, py - 2, 5.5, 1.75 * Math.PI, 0.25 * Math.PI)
  context.stroke()
}

function drawRing(
  context: CanvasRenderingContext2D,
  view: View,
  { lat, lon }: { lat: number; lon: number },
  metres: number,
  { theme, units }: SensorsOnGround,
  figures: Box[],
): void {
  const circle = geoCircle()
    .center([lon, lat])
    .radius(((metres / earthRadiusMetres) * 180) / Math.PI)
    .precision(3)()
  const points = circle.coordinates[0] ?? []
  const centre = nearestX(toX(lon), view.x)
  context.beginPath()
  for (const [pointLon = 0, pointLat = 0] of points) {
    const px = (nearestX(toX(pointLon), centre) - view.x) * view.scale + view.width / 2
    context.lineTo(px, toPixelY(view, toY(pointLat)))
  }
  context.strokeStyle = theme.ring
  context.lineWidth = 1
  context.setLineDash([5, 4])
  context.stroke()
  context.setLineDash([])
  const top = Math.max(...points.map(([, pointLat = 0]) => pointLat))
  const [text, px, py] = [toDistanceText(metres, units), toPixelX(view, toX(lon)), toPixelY(view, toY(top)) + 4]
  const box = toBox(text, px, py)
  if (figures.some((other) => overlap(box, other))) return
  figures.push(box)
  write(context, text, px, py, theme.ringText, theme, '11px')
}
