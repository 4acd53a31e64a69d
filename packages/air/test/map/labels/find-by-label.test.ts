import { expect, test } from 'vitest'
import { findByLabel } from '../../../src/map/draw/targets.ts'
import type { Target } from '../../../src/map/model/target.ts'

/** Every label is 80 pixels wide, and 29 high. */
const drawing = { labels: { measure: () => 80 }, units: 'metric' } as unknown as Parameters<typeof findByLabel>[1]

/** Its label is to the right, above it: side 0; without one: -1. */
const aTarget = (labelSide: number) => ({ px: 100, py: 100, labelSide, name: 'FIN5LA' }) as Target

test.each([
  ['in the middle of its label', 0, [150, 85], true],
  ['on the corner of its label', 0, [109, 69], true],
  ['beside its label', 0, [108, 85], false],
  ['below its label', 0, [150, 100], false],
  ['where its label would be', -1, [150, 85], false],
] as const)('a click %s (side %i, at %j) finds the target: %s', (_where, side, [px, py], isFound) => {
  const target = aTarget(side)
  expect(findByLabel([target], drawing, [px, py])).toBe(isFound ? target : undefined)
})
