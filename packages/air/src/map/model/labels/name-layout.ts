/**
 * Decides on which side of its place a name stands, so that it is under no label.
 * In: names in the order of their importance, and boxes that stay free. Out: for each its side, or none. A name keeps
 * its side while that is free.
 */
import { type Box, isInside, overlap } from './box.ts'

export interface Named {
  /** The pixel of the place. */
  px: number
  py: number
  /** Of the name. */
  width: number
  /** An index of `sides`; -1 if the name has no room. */
  side: number
}

/** Of the name from its place: to the right or to the left, and below or above. The first ones are preferred. */
const sides = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
] as const

/** Half of the size of the sign of a place. */
export const signReach = 4
const lineHeight = 14
const gap = 2

type Place = Pick<Named, 'px' | 'py' | 'width'>

/** Of the sign, and of the name; below its place while it has no room. */
export function boxesOfName(name: Named): [Box, Box] {
  return [boxOfSign(name), boxOfName(name, Math.max(0, name.side))]
}

function boxOfSign({ px, py }: Place): Box {
  return [px - signReach, py - signReach, px + signReach, py + signReach]
}

/** Of the name below its place, with the sign. */
export function boxBelow(place: Place): Box {
  const [left, , right, bottom] = boxOfName(place, 0)
  return [left, place.py - signReach, right, bottom]
}

function boxOfName(place: Place, side: number): Box {
  const [x, y] = middleOf(place, side)
  return [x - place.width / 2, y - lineHeight / 2, x + place.width / 2, y + lineHeight / 2]
}

function middleOf({ px, py, width }: Place, side: number): [number, number] {
  const [right, down] = sides[side] ?? [0, 0]
  return [px + right * (signReach + gap + width / 2), py + down * (signReach + lineHeight / 2)]
}

/** Where the name is written: its middle, and its baseline. */
export function textOfName(name: Named): [number, number] {
  const [x, y] = middleOf(name, name.side)
  return [x, y + 4]
}

/**
 * Returns whether a name is elsewhere than before.
 * @param whole The part of the map where all of a name can be read. Names are also elsewhere, if there is no room.
 */
export function layOutNames(names: readonly Named[], taken: readonly Box[], whole: Box): boolean {
  /** Of the names before. */
  const placed: Box[] = []
  const isApart = (box: Box, others: readonly Box[]) => !others.some((other) => overlap(box, other))
  const isFree = (box: Box) => isApart(box, placed) && isApart(box, taken)
  let isChanged = false
  for (const name of names) {
    const before = name.side
    // A label may cover the sign, which is small.
    name.side = isApart(boxOfSign(name), placed) ? findSide(name, isFree, whole) : -1
    if (name.side >= 0) placed.push(...boxesOfName(name))
    if (name.side !== before) isChanged = true
  }
  return isChanged
}

function findSide(name: Named, isFree: (box: Box) => boolean, whole: Box): number {
  const free = [...sides.keys()].filter((side) => isFree(boxOfName(name, side)))
  const inside = free.filter((side) => isInside(boxOfName(name, side), whole))
  const possible = inside.length > 0 ? inside : free
  return possible.includes(name.side) ? name.side : (possible[0] ?? -1)
}
