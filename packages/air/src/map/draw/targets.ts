/**
 * Targets with their vectors and labels, drawn in each frame.
 * In: targets that are placed for this moment. Out: drawn pixels. The layout of the labels is made a few times a
 * second.
 */
import { toStep } from '../model/altitude-scale.ts'
import { type Box, boxAround } from '../model/labels/box.ts'
import { firstFarSide, type Labelled, layOut, offsetX, offsetY } from '../model/labels/label-layout.ts'
import type { Target } from '../model/target.ts'
import { nearestX, type View } from '../model/view.ts'
import { feet, toAltitudeText, toSpeedText, type Units } from '../model/words.ts'
import { type LabelPictures, labelHeight } from './label-pictures.ts'
import type { Symbols } from './symbols.ts'
import type { Theme } from './theme.ts'

export interface DrawTargets {
  view: View
  theme: Theme
  symbols: Symbols
  labels: LabelPictures
  units: Units
  selectedId: string | undefined
  hovered: Target | undefined
  hasLabels: boolean
  hasVectors: boolean
  /** Alerts are of now. */
  isReplay: boolean
  maxLabels: number
  /** What no panel covers. */
  free: Box
  /** Where sensors are. */
  obstacles: readonly Box[]
  /** Where airports and other texts on the ground are. */
  avoided: readonly Box[]
  /** Where other texts are. */
  texts: readonly Box[]
}

const edge = 40
/** With more targets than this, symbols are at whole pixels, which without a GPU is several times as quick. */
export const maxSmooth = 500
const vectorSeconds = 60
const maxSymbolBoxes = 250
/** How far a label moves between two layouts, in pixels. */
const motion = 5
/** How far labels stay away from what they avoid, in pixels: further than they move before a name gives way. */
const apart = motion + 1

/** Finds the targets on the map. Returns the largest move since they were drawn last, in pixels. */
export function placeOnMap(targets: Iterable<Target>, view: View, onMap: Target[]): number {
  onMap.length = 0
  let largest = 0
  const { width, height, scale } = view
  for (const target of targets) {
    if (!target.isThere || !target.isWanted) continue
    const px = (nearestX(target.shownX, view.x) - view.x) * scale + width / 2
    const py = (target.shownY - view.y) * scale + height / 2
    if (px < -edge || py < -edge || px > width + edge || py > height + edge) {
      target.px = Number.NaN
      continue
    }
    const move = Math.abs(px - target.px) + Math.abs(py - target.py)
    // A target that was not on the map is a change, too.
    if (!(move <= largest)) largest = Number.isNaN(move) ? Infinity : move
    onMap.push(target)
  }
  return largest
}

/** Sets the pixel of each target. */
export function setPixels(onMap: readonly Target[], view: View): void {
  for (const target of onMap) {
    target.px = (nearestX(target.shownX, view.x) - view.x) * view.scale + view.width / 2
    target.py = (target.shownY - view.y) * view.scale + view.height / 2
  }
}

export function drawTargets(context: CanvasRenderingContext2D, onMap: Target[], options: DrawTargets): void {
  const { theme, symbols, selectedId } = options
  const isCrowded = onMap.length > maxSmooth
  if (options.hasVectors) drawVectors(context, onMap, options)
  for (const target of onMap) {
    const { kind, state, onGround, shownDirection } = target
    const [px, py] = isCrowded ? [Math.round(target.px), Math.round(target.py)] : [target.px, target.py]
    symbols.draw(context, px, py, kind, state, onGround, toStep(target.shownAltitude), shownDirection)
  }
  for (const target of onMap) {
    if (target.isAlerted && !options.isReplay) ring(context, target, theme.alert, 15, 2)
    if (target.id === selectedId) ring(context, target, theme.accent, 18, 2)
    else if (target === options.hovered) ring(context, target, theme.textQuiet, 18, 1)
  }
  if (options.hasLabels) drawLabels(context, onMap, options)
}

/** Lines of one colour are one path. */
function drawVectors(context: CanvasRenderingContext2D, onMap: Target[], { view, theme }: DrawTargets): void {
  context.lineWidth = 1
  for (const [step, colour] of theme.altitudes.entries()) {
    let isEmpty = true
    for (const target of onMap) {
      const pixels = vectorSeconds * target.unitsPerMetre * view.scale
      const [dx, dy] = [target.shownEast * pixels, -target.shownNorth * pixels]
      // Also one whose velocity is not known.
      if (!(Math.abs(dx) + Math.abs(dy) >= 12) || toStep(target.shownAltitude) !== step || target.onGround) continue
      if (isEmpty) context.beginPath()
      isEmpty = false
      context.moveTo(target.px, target.py)
      context.lineTo(target.px + dx, target.py + dy)
    }
    if (isEmpty) continue
    context.strokeStyle = colour
    context.stroke()
  }
}

function ring(
  context: CanvasRenderingContext2D,
  { px, py }: Target,
  colour: string,
  radius: number,
  width: number,
): void {
  context.beginPath()
  context.arc(px, py, radius, 0, 2 * Math.PI)
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke()
}

function drawLabels(
  context: CanvasRenderingContext2D,
  onMap: Target[],
  { labels, units, theme, selectedId, isReplay }: DrawTargets,
): void {
  for (const target of onMap) {
    if (target.labelSide < 0) continue
    const emphasis = target.id === selectedId ? 'chosen' : target.isAlerted && !isReplay ? 'alert' : 'plain'
    const { image, width, height } = labels.find(target.name, toSecondLine(target, units), emphasis)
    const px = Math.round(target.px + offsetX(target.labelSide, width))
    const py = Math.round(target.py + offsetY(target.labelSide, height))
    if (target.labelSide >= firstFarSide) drawLeader(context, target, [px, py, px + width, py + height], theme)
    context.drawImage(image, px, py, image.width * (height / image.height), height)
  }
}

/** From the target to the nearest corner of its label. */
function drawLeader(
  context: CanvasRenderingContext2D,
  { px, py }: Target,
  [left, top, right, bottom]: Box,
  theme: Theme,
): void {
  context.beginPath()
  context.moveTo(px, py)
  context.lineTo(left > px ? left : right, top > py ? top : bottom)
  context.strokeStyle = theme.text
  context.lineWidth = 1
  context.stroke()
}

type Measuring = Pick<DrawTargets, 'labels' | 'units'>

/** The target whose label is at a pixel. */
export function findByLabel(
  onMap: readonly Target[],
  measuring: Measuring,
  [px, py]: [number, number],
): Target | undefined {
  return onMap.find((target) => {
    if (target.labelSide < 0) return false
    const [left, top, right, bottom] = labelBox(target, measuring)
    return px >= left && px <= right && py >= top && py <= bottom
  })
}

/** The boxes of the labels, with the room that they move through until their next layout. */
export function labelBoxes(onMap: readonly Target[], measuring: Measuring): Box[] {
  return onMap.flatMap((target) => (target.labelSide < 0 ? [] : [boxAround(labelBox(target, measuring), motion)]))
}

function labelBox(target: Target, { labels, units }: Measuring): Box {
  const width = labels.measure(target.name, toSecondLine(target, units))
  const left = target.px + offsetX(target.labelSide, width)
  const top = target.py + offsetY(target.labelSide, labelHeight)
  return [left, top, left + width, top + labelHeight]
}

/** @param onMap Targets with their pixels. */
export function layOutLabels(onMap: readonly Target[], options: DrawTargets): void {
  const { view, labels, units, selectedId, hovered, maxLabels } = options
  const rank = (target: Target) =>
    (target.id === selectedId ? 16 : 0) +
    (target === hovered ? 8 : 0) +
    (target.isAlerted ? 4 : 0) +
    (target.labelSide >= 0 ? 2 : 0) +
    (target.state === 'live' && !target.onGround ? 1 : 0)
  const ranked = onMap.map((target) => ({ target, rank: rank(target) })).sort((a, b) => b.rank - a.rank)
  // What is far beyond the room on the map is not measured.
  const boxes = ranked.slice(0, maxLabels * 4).map(({ target, rank }): Labelled & { target: Target } => ({
    target,
    px: target.px,
    py: target.py,
    width: labels.measure(target.name, toSecondLine(target, units)),
    height: labelHeight,
    side: target.labelSide,
    isForced: rank >= 4,
  }))
  for (const { target } of ranked) target.labelSide = -1
  layOut(boxes, {
    width: view.width,
    height: view.height,
    free: options.free,
    max: maxLabels,
    obstacles: [...options.obstacles, ...symbolBoxes(onMap)],
    avoided: options.avoided.map((box) => boxAround(box, apart)),
    texts: options.texts,
  })
  for (const { target, side } of boxes) target.labelSide = side
}

/** Labels do not cover other targets, unless there are so many that hardly any label would be left. */
function symbolBoxes(onMap: readonly Target[]): Box[] {
  if (onMap.length > maxSymbolBoxes) return []
  return onMap.map(({ px, py }) => [px - 6, py - 6, px + 6, py + 6])
}

function toSecondLine(target: Target, units: Units): string {
  const { shownAltitude, shownEast, shownNorth, shownUp, onGround, datum } = target
  const speed = toSpeedText(Math.hypot(shownEast, shownNorth), units)
  const altitude = onGround ? 'ground' : toAltitudeText(roughly(shownAltitude, units), units, datum)
  const arrow = onGround || !(Math.abs(shownUp) > 1) ? '' : shownUp > 0 ? ' ↑' : ' ↓'
  return `${altitude}${arrow}${speed === '–' ? '' : `  ${speed}`}`
}

/** To 10 m or 100 ft, so that labels change less often. */
function roughly(metres: number, units: Units): number {
  const step = units === 'metric' ? 10 : 100 / feet
  return metres > 300 ? Math.round(metres / step) * step : metres
}
