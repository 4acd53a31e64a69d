/**
 * Decides which labels are shown and on which side of their target, so that no two overlap.
 * In: boxes in the order of their priority. Out: for each, its side, or none. A label keeps its side while that is free.
 */
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

/** Left, top, right, bottom. */
export type Box = [number, number, number, number]

const sides = 4
const gap = 9
const cell = 48

/** The upper left corner of the label, from the target. */
export function offsetX(side: number, width: number): number {
  return side === 0 || side === 1 ? gap : -gap - width
}

export function offsetY(side: number, height: number): number {
  return side === 0 || side === 3 ? -height - 2 : 2
}

/** @param obstacles Boxes that stay free, as left, top, right, bottom. */
export function layOut(
  labels: readonly Labelled[],
  obstacles: readonly Box[],
  { width, height, max }: { width: number; height: number; max: number },
): void {
  const columns = Math.ceil(width / cell) + 2
  const rows = Math.ceil(height / cell) + 2
  /** Boxes in each cell, as left, top, right, bottom. Those of labels are also in `ofLabels`. */
  const taken: number[][] = Array.from({ length: columns * rows }, () => [])
  const ofLabels: number[][] = Array.from({ length: columns * rows }, () => [])
  for (const box of obstacles) take(taken, box)
  let shown = 0
  for (const label of labels) {
    const before = label.side
    label.side = -1
    if (shown >= max && !label.isForced) continue
    label.side = findSide(label, before, taken)
    if (label.side < 0 && label.isForced) label.side = findSide(label, before, ofLabels)
    if (label.side < 0 && label.isForced) label.side = Math.max(0, before)
    if (label.side < 0) continue
    take(taken, boxOf(label, label.side))
    take(ofLabels, boxOf(label, label.side))
    shown++
  }

  function findSide(label: Labelled, before: number, boxes: number[][]): number {
    for (let turn = 0; turn < sides; turn++) {
      const side = before >= 0 ? (before + turn) % sides : turn
      if (isFree(label, side, boxes)) return side
    }
    return -1
  }

  function isFree(label: Labelled, side: number, cells: number[][]): boolean {
    const [left, top, right, bottom] = boxOf(label, side)
    if (left < 0 || top < 0 || right > width || bottom > height) return false
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
