/**
 * Where the texts of conflicts stand: near the point of the least distance, and not under a panel.
 * In: that point and the width of the text, of each. Out: for each a box in the free part of the map, apart from the
 * others if there is room; none where it would cover a target in conflict.
 */
import { type Box, overlap } from './box.ts'

export interface Plate {
  px: number
  py: number
  width: number
}

export const plateHeight = 20
/** From the point to the middle of the text: where targets meet, their labels are around it. */
const offsets = [44, -44, 68, -68, 92, -92, 116, -116]

export interface Around {
  /** Boxes that the texts should not cover. */
  taken: readonly Box[]
  /** Those of the targets that the texts are about, which no text covers. */
  targets: readonly Box[]
}

export function placePlates(plates: readonly Plate[], free: Box, { taken, targets }: Around): (Box | undefined)[] {
  const placed: Box[] = []
  return plates.map((plate) => {
    const boxes = offsets
      .map((offset) => toBox(plate, plate.py + offset, free))
      .filter((box) => !targets.some((target) => overlap(box, target)))
    const isRoom = (box: Box) => ![...placed, ...taken].some((other) => overlap(box, other))
    const box = boxes.find(isRoom) ?? boxes[0]
    if (box) placed.push(box)
    return box
  })
}

/** A text that is wider than the free part gets all of its width. */
function toBox({ px, width }: Plate, py: number, [left, top, right, bottom]: Box): Box {
  const half = Math.min(width, right - left) / 2
  const x = clamp(px, left + half, right - half)
  const y = clamp(py, top + plateHeight / 2, bottom - plateHeight / 2)
  return [x - half, y - plateHeight / 2, x + half, y + plateHeight / 2]
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
