import { expect, test } from 'vitest'
import { type Box, overlap } from '../../../src/map/model/labels/box.ts'
import { boxesOfName, layOutNames, textOfName } from '../../../src/map/model/labels/name-layout.ts'

const none = -1
const map: Box = [0, 0, 400, 400]
const aName = ({ px = 100, py = 100, width = 80, side = none } = {}) => ({ px, py, width, side })

/** Where the name is written around its place at 100, 100. */
const at = {
  below: [100, 115],
  above: [100, 93],
  right: [146, 104],
  left: [54, 104],
  rightBelow: [146, 115],
  nowhere: undefined,
}

function layOut(name: ReturnType<typeof aName>, taken: Box[]) {
  layOutNames([name], taken, map)
  return name.side === none ? undefined : textOfName(name)
}

/** Labels of targets around the place. */
const label = {
  below: [60, 108, 160, 137],
  above: [60, 63, 160, 92],
  topRight: [105, 63, 205, 103],
  bottomRight: [105, 108, 205, 137],
  right: [105, 90, 205, 107],
  topLeft: [0, 63, 95, 103],
  bottomLeft: [0, 97, 95, 137],
} satisfies Record<string, Box>

test.each<[where: keyof typeof at, taken: Box[]]>([
  ['below', []],
  ['above', [label.below]],
  ['right', [label.below, label.above]],
  ['left', [label.below, label.above, label.bottomRight, label.right]],
  ['rightBelow', [label.topRight, label.topLeft, label.bottomLeft, label.above]],
  ['left', [[98, 90, 200, 130], label.above]],
  ['nowhere', [[10, 80, 190, 120]]],
])('a name is %s, where labels leave room for it', (where, taken) => {
  expect(layOut(aName(), taken)).toEqual(at[where])
})

test('a name stays where it is while that is free', () => {
  const name = aName()
  expect(layOut(name, [label.below])).toEqual(at.above)
  expect(layOutNames([name], [], map)).toBe(false)
  expect(layOut(name, [])).toEqual(at.above)
  expect(layOut(name, [label.above])).toEqual(at.below)
})

test('a name stays off the edges and the panels, and is cut only where it has no room elsewhere', () => {
  const name = aName()
  layOutNames([name], [], [0, 0, 400, 110])
  expect(textOfName(name)).toEqual(at.above)
  layOutNames([name], [label.above], [0, 0, 400, 110])
  expect(textOfName(name)).toEqual(at.right)
  layOutNames([name], [], [0, 0, 90, 90])
  expect(name.side).not.toBe(none)
})

test('a name without room is there again when the labels have passed', () => {
  const name = aName()
  layOutNames([name], [[0, 0, 200, 200]], map)
  expect(layOutNames([name], [], map)).toBe(true)
  expect(layOut(name, [])).toEqual(at.below)
})

test('names are not on each other, nor on a sign: the more important one is placed first', () => {
  const names = [100, 108, 116, 124, 132].map((py) => aName({ py }))
  layOutNames(names, [label.above], map)
  const shown = names.filter(({ side }) => side !== none)
  const boxes = shown.flatMap(boxesOfName)
  expect(names[0]?.side).not.toBe(none)
  expect(shown.length).toBeGreaterThan(1)
  expect(boxes.some((a, index) => boxes.slice(index + 1).some((b) => overlap(a, b)))).toBe(false)
})
