/**
 * Decides which labels are shown and on which side of their target, so that no two overlap.
 * In: boxes in the order of their priority. Out: for each, its side, or none. A label keeps its side while that is
 * free.
 */
import { type Box, overlap } from './box.ts'

export interface Labelled {
  /** The target's pixel. */
  px: number
  py: number
  width: number
  height: number
  /** Where the label was the last time; -1 if it was not shown. */
  side: number
  /** It is shown even where there is no room. */
  isForced: boolean
}

const sides = 4
/** The first of the sides that are further away, where a forced label is if there is no room beside its target. */
export const firstFarSide = sides
const gap = 9
const cell = 48

/** The upper left corner of the label, from the target. */
export function offsetX(side: number, width: number): number {
  return side % sides < 2 ? gap : -gap - width
}

export function offsetY(side: number, height: number): number {
  const far = side >= firstFarSide ? height + gap : 0
  return side % sides === 0 || side % sides === 3 ? -height - 2 - far : 2 + far
}

export interface Room {
  width: number
  height: number
  /** What no panel covers. Labels are there if there is room. */
  free: Box
  /** Number of labels. */
  max: number
  /** Boxes that stay free, unless a label is forced. */
  obstacles: readonly Box[]
  /** Boxes that stay free where a label can be on another side. */
  avoided: readonly Box[]
  /** Boxes of other texts, which are as labels: a forced label covers none of them if it can be elsewhere. */
  texts: readonly Box[]
}

export function layOut(labels: readonly Labelled[], room: Room): void {
  const { width, height, free, max, obstacles, avoided, texts } = room
  const columns = Math.ceil(width / cell) + 2
  const rows = Math.ceil(height / cell) + 2
  /** Boxes in each cell, as left, top, right, bottom. Those of labels and other texts are also in `ofLabels`. */
  const taken: number[][] = Array.from({ length: columns * rows }, () => [])
  const ofLabels: number[][] = Array.from({ length: columns * rows }, () => [])
  for (const box of [...obstacles, ...texts]) take(taken, box)
  for (const box of texts) take(ofLabels, box)
  const whole: Box = [0, 0, width, height]
  let shown = 0
  for (const label of labels) {
    const before = label.side
    label.side = -1
    if (shown >= max && !label.isForced) continue
    for (const bounds of [free, whole]) {
      if (label.side < 0) label.side = findSide(label, before, taken, bounds, { avoided })
      if (label.side < 0) label.side = findSide(label, before, taken, bounds)
      if (label.side < 0 && label.isForced) label.side = findSide(label, before, ofLabels, bounds)
      if (label.side < 0 && label.isForced)
        label.side = findSide(label, before, ofLabels, bounds, { first: firstFarSide })
    }
    if (label.side < 0 && label.isForced) label.side = Math.max(0, before)
    if (label.side < 0) continue
    take(taken, boxOf(label, label.side))
    take(ofLabels, boxOf(label, label.side))
    shown++
  }

  /** @param first Of the four sides that are tried. */
  function findSide(
    label: Labelled,
    before: number,
    boxes: number[][],
    bounds: Box,
    { first = 0, avoided = [] }: { first?: number; avoided?: readonly Box[] } = {},
  ): number {
    const preferred = before >= first && before < first + sides ? before - first : 0
    for (let turn = 0; turn < sides; turn++) {
      const side = first + ((preferred + turn) % sides)
      const isAvoided = avoided.some((box) => overlap(box, boxOf(label, side)))
      if (!isAvoided && isFree(label, side, boxes, bounds)) return side
    }
    return -1
  }

  function isFree(label: Labelled, side: number, cells: number[][], bounds: Box): boolean {
    const [left, top, right, bottom] = boxOf(label, side)
    if (left < bounds[0] || top < bounds[1] || right > bounds[2] || bottom > bounds[3]) return false
    for (let row = cellOf(top); row <= cellOf(bottom); row++) {
      for (let column = cellOf(left); column <= cellOf(right); column++) {
        const boxes = cells[row * columns + column] ?? []
        for (let at = 0; at < boxes.length; at += 4) {
          const apart =
            right <= (boxes[at] ?? 0) ||
            left >= (boxes[at + 2] ?? 0) ||
            bottom <= (boxes[at + 1] ?? 0) ||
            top >= (boxes[at + 3] ?? 0)
          if (!apart) return false
        }
      }
    }
    return true
  }

  function take(cells: number[][], box: Box): void {
    const [left, top, right, bottom] = box
    for (let row = Math.max(0, cellOf(top)); row <= Math.min(rows - 1, cellOf(bottom)); row++) {
      for (let column = Math.max(0, cellOf(left)); column <= Math.min(columns - 1, cellOf(right)); column++) {
        cells[row * columns + column]?.push(...box)
      }
    }
  }
}

function boxOf({ px, py, width, height }: Labelled, side: number): Box {
  const left = px + offsetX(side, width)
  const top = py + offsetY(side, height)
  return [left, top, left + width, top + height]
}

function cellOf(pixels: number): number {
  return Math.floor(pixels / cell) + 1
}
