/**
 * Decides on which side of its place a name stands, so that it is under no label.
 * In: names in the order of their importance, and boxes that stay free. Out: for each its side, or none. A name keeps
 * its side while that is free.
 */
import { type Box, overlap } from './box.ts'

export interface Named {
  /** The pixel of the place. */
  px: number
  py: number
  /** Of the name. */
  width: number
  /** Where the name is: below its place, above it, to the right, to the left; -1 if it has no room. */
  side: number
}

/** Half of the size of the sign of a place. */
export const signReach = 4
const lineHeight = 14
const gap = 2
const sides = [0, 1, 2, 3]

/** Of the sign and the name. */
export function boxOfName({ px, py, width }: Omit<Named, 'side'>, side: number): Box {
  const half = width / 2
  if (side === 0) return [px - half, py - signReach, px + half, py + signReach + lineHeight]
  if (side === 1) return [px - half, py - signReach - lineHeight, px + half, py + signReach]
  const end = signReach + gap + width
  const [left, right] = side === 2 ? [-signReach, end] : [-end, signReach]
  return [px + left, py - lineHeight / 2, px + right, py + lineHeight / 2]
}

/** The middle of the name, and its baseline. */
export function textOfName({ px, py, width, side }: Named): [number, number] {
  if (side === 0) return [px, py + signReach + 11]
  if (side === 1) return [px, py - signReach - 4]
  const middle = signReach + gap + width / 2
  return [side === 2 ? px + middle : px - middle, py + 4]
}

/** Returns whether a name is elsewhere than before. */
export function layOutNames(names: readonly Named[], taken: readonly Box[]): boolean {
  const boxes = [...taken]
  let isChanged = false
  for (const name of names) {
    const before = name.side
    const isFree = (side: number) => !boxes.some((box) => overlap(box, boxOfName(name, side)))
    name.side = [Math.max(0, before), ...sides].find(isFree) ?? -1
    if (name.side >= 0) boxes.push(boxOfName(name, name.side))
    if (name.side !== before) isChanged = true
  }
  return isChanged
}
