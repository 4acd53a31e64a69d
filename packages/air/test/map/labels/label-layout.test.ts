import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, overlap } from '../../../src/map/model/labels/box.ts'
import {
  firstFarSide,
  type Labelled,
  layOut,
  offsetX,
  offsetY,
  type Room,
} from '../../../src/map/model/labels/label-layout.ts'

const room: Room = {
  width: 1_000,
  height: 600,
  free: [0, 0, 1_000, 600],
  max: 200,
  obstacles: [],
  avoided: [],
  texts: [],
}

const aLabel = (px: number, py: number, differences: Partial<Labelled> = {}): Labelled => ({
  px,
  py,
  width: 80,
  height: 28,
  side: -1,
  isForced: false,
  ...differences,
})

function boxOf({ px, py, width, height, side }: Labelled): Box {
  const [left, top] = [px + offsetX(side, width), py + offsetY(side, height)]
  return [left, top, left + width, top + height]
}

test('no two labels overlap, and none leaves the map or covers an obstacle', () => {
  const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 600 })), {
    maxLength: 120,
  })
  fc.assert(
    fc.property(places, (all) => {
      const labels = all.map(([px, py]) => aLabel(px, py))
      const obstacle: Box = [400, 200, 600, 300]
      layOut(labels, { ...room, obstacles: [obstacle] })
      const boxes = [obstacle, ...labels.filter(({ side }) => side >= 0).map(boxOf)]
      expect(boxes.some((a, at) => boxes.slice(at + 1).some((b) => overlap(a, b)))).toBe(false)
      expect(
        boxes.every(([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= 1_000 && bottom <= 600),
      ).toBe(true)
    }),
  )
})

test('the first label gets the place, and a forced one is shown all the same', () => {
  const labels = [aLabel(500, 300), ...Array.from({ length: 4 }, () => aLabel(500, 300)), aLabel(500, 300)]
  const last = labels.at(-1)
  if (last) last.isForced = true
  layOut(labels, room)

  expect(labels.map(({ side }) => side >= 0)).toEqual([true, true, true, true, false, true])
})

test('a label keeps its side while that is free', () => {
  const label = aLabel(500, 300, { side: 2 })
  layOut([label], room)
  expect(label.side).toBe(2)
})

test('a forced label that has no room covers an obstacle rather than another label', () => {
  const labels = [aLabel(500, 300, { isForced: true }), aLabel(500, 300, { isForced: true })]
  const [first, second] = labels
  layOut(labels, { ...room, obstacles: [[0, 0, 1_000, 600]] })

  expect(first && second && overlap(boxOf(first), boxOf(second))).toBe(false)
})

test('a forced label covers an obstacle rather than the text of a conflict', () => {
  const text: Box = [400, 310, 600, 330]
  const label = aLabel(500, 300, { isForced: true, side: 1 })
  layOut([label], { ...room, obstacles: [[0, 0, 1_000, 600]], texts: [text] })

  expect(label.side).toBeGreaterThanOrEqual(0)
  expect(overlap(boxOf(label), text)).toBe(false)
})

test('a label is beside a panel rather than under it, and under it if its target is there', () => {
  const labels = [aLabel(650, 300), aLabel(650, 500, { side: 0 }), aLabel(900, 100)]
  layOut(labels, { ...room, free: [0, 0, 700, 600] })

  expect(labels.map((label) => boxOf(label)[2] <= 700)).toEqual([true, true, false])
  expect(labels[2]?.side).toBeGreaterThanOrEqual(0)
})

test('two forced labels of targets that meet are apart, the second further from its target, where a text leaves no room', () => {
  const text: Box = [400, 310, 620, 330]
  const [chosen, other] = [aLabel(528, 300, { isForced: true, side: 3 }), aLabel(500, 300, { isForced: true, side: 3 })]
  layOut([chosen, other], { ...room, texts: [text] })

  const boxes = [text, boxOf(chosen), boxOf(other)]
  expect(boxes.some((a, at) => boxes.slice(at + 1).some((b) => overlap(a, b)))).toBe(false)
  expect([chosen.side, other.side >= firstFarSide]).toEqual([3, true])
})

test('a forced label comes back to its target when there is room', () => {
  const label = aLabel(500, 300, { isForced: true, side: firstFarSide })
  layOut([label], room)
  expect(label.side).toBe(0)
})

test('a label leaves the name of an airport free, and covers it only where it has no other side', () => {
  const name: Box = [505, 260, 700, 340]
  const label = aLabel(500, 300)
  layOut([label], { ...room, avoided: [name] })
  expect(overlap(boxOf(label), name)).toBe(false)

  layOut([label], { ...room, avoided: [name], obstacles: [[300, 200, 495, 400]] })
  expect(overlap(boxOf(label), name)).toBe(true)
})
