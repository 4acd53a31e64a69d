import { expect, test } from 'vitest'
import { createRanges } from '../../src/spool/ranges.ts'

test.each([
  ['nothing', [], []],
  ['one number', [[5, 5]], [5]],
  [
    'a range below another',
    [
      [7, 8],
      [2, 3],
    ],
    [2, 3, 7, 8],
  ],
  [
    'a range that touches two',
    [
      [1, 2],
      [6, 7],
      [3, 5],
    ],
    [1, 2, 3, 4, 5, 6, 7],
  ],
  [
    'a range around others',
    [
      [3, 3],
      [5, 6],
      [9, 9],
      [2, 7],
    ],
    [2, 3, 4, 5, 6, 7, 9],
  ],
  [
    'a range inside another',
    [
      [2, 7],
      [3, 4],
    ],
    [2, 3, 4, 5, 6, 7],
  ],
] as [string, [number, number][], number[]][])('%s', (_what, added, expected) => {
  const ranges = createRanges()
  for (const [from, through] of added) ranges.add(from, through)

  expect(Array.from({ length: 12 }, (_, number) => number).filter(ranges.has)).toEqual(expected)
})

test('the same numbers are in it as in a set, in whatever order they come', () => {
  const ranges = createRanges()
  const set = new Set<number>()
  for (let step = 0; step < 500; step += 1) {
    const from = (step * 7_919) % 3_001
    const through = from + (step % 5)
    ranges.add(from, through)
    for (let number = from; number <= through; number += 1) set.add(number)
    if (step % 50 === 0)
      for (let number = 0; number < 3_010; number += 1) expect(ranges.has(number)).toBe(set.has(number))
  }
})
