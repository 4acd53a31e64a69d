import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, overlap } from '../../../src/map/model/labels/box.ts'
import { placePlates, plateHeight } from '../../../src/map/model/labels/plate-layout.ts'

const nothing = { taken: [], targets: [] }
const free: Box = [6, 6, 314, 364]

test('the text of a conflict is below its point', () => {
  expect(placePlates([{ px: 160, py: 100, width: 200 }], free, nothing)).toEqual([[60, 134, 260, 154]])
})

test('a text is wholly in the free part of the map, wherever its point is', () => {
  const places = fc.tuple(fc.integer({ min: -50, max: 400 }), fc.integer({ min: -50, max: 400 }))
  fc.assert(
    fc.property(places, fc.integer({ min: 10, max: 400 }), ([px, py], width) => {
      const [[left, top, right, bottom] = [0, 0, 0, 0]] = placePlates([{ px, py, width }], free, nothing)
      expect(left >= free[0] && top >= free[1] && right <= free[2] && bottom <= free[3]).toBe(true)
      expect([right - left, bottom - top]).toEqual([Math.min(width, 308), plateHeight])
    }),
  )
})

test('texts do not overlap each other, or what is there already', () => {
  const plates = Array.from({ length: 4 }, () => ({ px: 160, py: 180, width: 200 }))
  const taken: Box = [100, 214, 220, 234]
  const boxes = [
    taken,
    ...placePlates(plates, free, { ...nothing, taken: [taken] }).flatMap((box) => (box ? [box] : [])),
  ]

  expect(boxes).toHaveLength(5)
  expect(boxes.some((a, at) => boxes.slice(at + 1).some((b) => overlap(a, b)))).toBe(false)
})

test('a text without any room is shown all the same, but never on a target that it is about', () => {
  const plates = [{ px: 160, py: 100, width: 200 }]
  const target: Box = [150, 130, 170, 160]
  const below: Box = [0, 110, 320, 370]

  expect(placePlates(plates, free, { ...nothing, taken: [free] })).toEqual([[60, 134, 260, 154]])
  const [moved] = placePlates(plates, free, { taken: [free], targets: [target] })
  expect(moved && overlap(moved, target)).toBe(false)
  expect(placePlates(plates, free, { taken: [], targets: [free] })).toEqual([undefined])
  expect(placePlates(plates, free, { taken: [], targets: [below] })[0]?.[3]).toBeLessThan(110)
})
