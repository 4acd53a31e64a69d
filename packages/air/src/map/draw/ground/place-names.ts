/**
 * The names of places above the ground: labels of targets and other texts have the room first.
 * In: the ground, places, and the boxes of those texts. Out: a layer with ground and names, so that a frame has one
 * picture to copy; it is drawn again only when a name has moved.
 */
import { type Box, overlap } from '../../model/labels/box.ts'
import {
  boxBelow,
  boxesOfName,
  layOutNames,
  type Named,
  signReach,
  textOfName,
} from '../../model/labels/name-layout.ts'
import { nearestX, toPixelY, type View } from '../../model/view.ts'
import { begin, createLayer, type Layer } from '../layer.ts'
import { write } from '../text.ts'
import type { Theme } from '../theme.ts'
import { type PlaceGroup, toZoom } from './places.ts'

export interface PlaceNames {
  readonly layer: Layer
  /** Finds the names of a new ground. */
  find(groups: readonly PlaceGroup[], ground: NewGround): void
  /** Where airports and their names are: labels leave them free where they can. */
  airports(): Box[]
  /**
   * Draws the ground, and the names where texts leave room; nothing if that is as it was on the same ground.
   * @param free What no panel covers.
   */
  draw(taken: readonly Box[], free: Box): void
}

export interface NewGround {
  layer: Layer
  view: View
  ratio: number
  theme: Theme
}

interface Name extends Named {
  text: string
  font: string
  isAirport: boolean
}

/** From this zoom on, an airport has its name beside its code. */
const fullNameZoom = 11
/** A name is large when the map is closer than this many zooms to where its place appeared. */
const largeForZooms = 4

export function createPlaceNames(): PlaceNames {
  const layer = createLayer(true)
  let names: Name[] = []
  let ground: NewGround | undefined
  let isNew = false

  return {
    layer,
    find(groups, found) {
      ;[ground, isNew] = [found, true]
      names = findNames(layer.context, found, groups)
    },
    airports: () => names.flatMap((name) => (name.isAirport ? boxesOfName(name) : [])),
    draw(taken, free) {
      const isChanged = layOutNames(names, taken, free)
      if (ground && (isChanged || isNew)) drawNames(layer, names, ground)
      isNew = false
    },
  }
}

function drawNames(layer: Layer, names: readonly Name[], { layer: ground, view, ratio, theme }: NewGround): void {
  begin(layer, view, ratio)
  const { context } = layer
  context.drawImage(ground.canvas, 0, 0, layer.view.width, layer.view.height)
  context.translate((layer.view.width - view.width) / 2, (layer.view.height - view.height) / 2)
  for (const name of names) {
    if (name.side < 0) continue
    if (name.isAirport) markAirport(context, name, theme)
    else markPlace(context, name, theme)
    const [px, py] = textOfName(name)
    write(context, name.text, px, py, name.isAirport ? theme.ringText : theme.textQuiet, theme, name.font)
  }
}

/** Those of larger places first; a name that has no room below its place, beside those before it, is left out. */
function findNames(
  context: CanvasRenderingContext2D,
  { layer: ground, view, theme }: NewGround,
  groups: readonly PlaceGroup[],
): Name[] {
  const zoom = toZoom(view.scale)
  const [maxX, maxY] = [ground.view.width / 2, ground.view.height / 2]
  const boxes: Box[] = []
  const names: Name[] = []
  for (const { points, names: ofGroup, isAirport, zoom: fromZoom } of groups.toSorted((a, b) => a.zoom - b.zoom)) {
    if (fromZoom > zoom) break
    const font = zoom - fromZoom > largeForZooms ? '600 13px' : '12px'
    context.font = `${font} ${theme.font}`
    for (let index = 0; index < points.length; index += 2) {
      const py = toPixelY(view, points[index + 1] ?? 0)
      if (Math.abs(py - view.height / 2) > maxY) continue
      const px = (nearestX(points[index] ?? 0, view.x) - view.x) * view.scale + view.width / 2
      if (Math.abs(px - view.width / 2) > maxX) continue
      const name = ofGroup[index / 2] ?? ''
      const text = isAirport && zoom < fullNameZoom ? (name.split(' ', 1)[0] ?? '') : name
      const found = { text, font, isAirport, px, py, width: context.measureText(text).width, side: -1 }
      const box = boxBelow(found)
      if (boxes.some((other) => overlap(box, other))) continue
      boxes.push(box)
      names.push(found)
    }
  }
  return names
}

function markPlace(context: CanvasRenderingContext2D, { px, py }: Name, theme: Theme): void {
  context.fillStyle = theme.textQuiet
  context.fillRect(px - 1.5, py - 1.5, 3, 3)
}

/** A circle with a runway across it. */
function markAirport(context: CanvasRenderingContext2D, { px, py }: Name, theme: Theme): void {
  context.strokeStyle = theme.ringText
  context.lineWidth = 1.2
  context.beginPath()
  context.arc(px, py, signReach, 0, 2 * Math.PI)
  context.moveTo(px - signReach, py + signReach)
  context.lineTo(px + signReach, py - signReach)
  context.stroke()
}
