import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, overlap } from '../../../../src/pages/map/model/labels/box.ts'
import { placePlates, plateHeight } from '../../../../src/pages/map/model/labels/plate-layout.ts'

const free: Box = [6, 6, 314, 364]

test('the text of a conflict is below its point', () => {
  expect(placePlates([{ px: 160, py: 100, width: 200 }], free, [])).toEqual([[60, 134, 260, 154]])
})

test('a text is wholly in the free part of the map, wherever its point is', () => {
  const places = fc.tuple(fc.integer({ min: -50, max: 400 }), fc.integer({ min: -50, max: 400 }))
  fc.assert(
    fc.property(places, fc.integer({ min: 10, max: 400 }), ([px, py], width) => {
      const [[left, top, right, bottom] = [0, 0, 0, 0]] = placePlates([{ px, py, width }], free, [])
      expect(left >= free[0] && top >= free[1] && right <= free[2] && bottom <= free[3]).toBe(true)
      expect([right - left, bottom - top]).toEqual([Math.min(width, 308), plateHeight])
    }),
  )
})

test('texts do not overlap each other, or what is there already', () => {
  const plates = Array.from({ length: 4 }, () => ({ px: 160, py: 180, width: 200 }))
  const taken: Box = [100, 214, 220, 234]
  const boxes = [taken, ...placePlates(plates, free, [taken])]

  expect(boxes).toHaveLength(5)
  expect(boxes.some((a, at) => boxes.slice(at + 1).some((b) => overlap(a, b)))).toBe(false)
})

test('a text without any room is shown all the same', () => {
  expect(placePlates([{ px: 160, py: 100, width: 200 }], free, [free])).toHaveLength(1)
})
