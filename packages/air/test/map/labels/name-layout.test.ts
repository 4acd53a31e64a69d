import { expect, test } from 'vitest'
import type { Box } from '../../../src/map/model/labels/box.ts'
import { boxOfName, layOutNames, textOfName } from '../../../src/map/model/labels/name-layout.ts'

const [below, above, right, left, none] = [0, 1, 2, 3, -1]

const aName = ({ px = 100, py = 100, width = 80, side = none } = {}) => ({ px, py, width, side })

/** A label of a target, somewhere around the place at 100, 100. */
const label = {
  below: [60, 108, 160, 137],
  above: [60, 63, 160, 92],
  right: [104, 90, 210, 110],
} satisfies Record<string, Box>

test.each<[where: string, taken: Box[], side: number]>([
  ['below its place', [], below],
  ['above its place, while a label is below', [label.below], above],
  ['to the right, while labels are below and above', [label.below, label.above], right],
  ['to the left, while labels are everywhere else', [label.below, label.above, label.right], left],
  ['nowhere, while labels are all around', [[0, 0, 200, 200]], none],
])('a name is %s', (_where, taken, side) => {
  const name = aName()
  layOutNames([name], taken)
  expect(name.side).toBe(side)
})

test('a name stays where it is while that is free, and comes back only when it has to', () => {
  const name = aName()
  layOutNames([name], [label.below])
  expect(layOutNames([name], [])).toBe(false)
  expect(name.side).toBe(above)
  expect(layOutNames([name], [label.above])).toBe(true)
  expect(name.side).toBe(below)
})

test('a name without room is there again when the labels have passed', () => {
  const name = aName()
  layOutNames([name], [[0, 0, 200, 200]])
  expect(layOutNames([name], [])).toBe(true)
  expect(name.side).toBe(below)
})

test('a name that gives way takes the room of a less important one, which gives way in turn', () => {
  const [city, village] = [aName(), aName({ py: 82 })]
  layOutNames([city, village], [])
  expect([city.side, village.side]).toEqual([below, above])
  layOutNames([city, village], [label.below])
  expect([city.side, village.side]).toEqual([above, none])
})

test.each([below, above, right, left])('on side %i the text is in its box, beside the sign of the place', (side) => {
  const [boxLeft, top, boxRight, bottom] = boxOfName(aName(), side)
  const [middle, baseline] = textOfName(aName({ side }))
  expect(middle - 40).toBeGreaterThanOrEqual(boxLeft)
  expect(middle + 40).toBeLessThanOrEqual(boxRight)
  expect(baseline - 10).toBeGreaterThanOrEqual(top)
  expect(baseline + 3).toBeLessThanOrEqual(bottom)
  const isBeside = middle + 40 <= 96 || middle - 40 >= 104 || baseline - 10 >= 104 || baseline + 3 <= 96
  expect(isBeside).toBe(true)
})
