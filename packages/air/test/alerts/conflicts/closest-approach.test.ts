import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  lossOfSeparation,
  type RelativeMotion,
  separationAt,
  timeOfClosestApproach,
} from '../../../src/alerts/conflicts/closest-approach.ts'

const aMotion = (motion: Partial<RelativeMotion> = {}): RelativeMotion => ({
  eastMetres: 0,
  northMetres: 0,
  upMetres: 0,
  eastMetresPerSecond: 0,
  northMetresPerSecond: 0,
  upMetresPerSecond: 0,
  ...motion,
})

const metres = fc.double({ min: -20_000, max: 20_000, noNaN: true })
const speed = fc.double({ min: -300, max: 300, noNaN: true })
const motions = fc.record({
  eastMetres: metres,
  northMetres: metres,
  upMetres: fc.double({ min: -2_000, max: 2_000, noNaN: true }),
  eastMetresPerSecond: speed,
  northMetresPerSecond: speed,
  upMetresPerSecond: fc.double({ min: -30, max: 30, noNaN: true }),
})
const limits = { horizontalMetres: 1_000, verticalMetres: 150 }
const minute = { fromSeconds: 0, toSeconds: 60 }

function rotate(motion: RelativeMotion, angle: number): RelativeMotion {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  return {
    ...motion,
    eastMetres: motion.eastMetres * cos - motion.northMetres * sin,
    northMetres: motion.eastMetres * sin + motion.northMetres * cos,
    eastMetresPerSecond: motion.eastMetresPerSecond * cos - motion.northMetresPerSecond * sin,
    northMetresPerSecond: motion.eastMetresPerSecond * sin + motion.northMetresPerSecond * cos,
  }
}

function mirror({ upMetres, ...motion }: RelativeMotion): RelativeMotion {
  return {
    eastMetres: -motion.eastMetres,
    northMetres: -motion.northMetres,
    upMetres: upMetres === null ? null : -upMetres,
    eastMetresPerSecond: -motion.eastMetresPerSecond,
    northMetresPerSecond: -motion.northMetresPerSecond,
    upMetresPerSecond: -motion.upMetresPerSecond,
  }
}

describe('the closest approach', () => {
  test('is nearer than any other moment', () => {
    fc.assert(
      fc.property(motions, fc.double({ min: -1_000, max: 1_000, noNaN: true }), (motion, other) => {
        const closest = separationAt(motion, timeOfClosestApproach(motion)).horizontalMetres
        expect(closest).toBeLessThanOrEqual(separationAt(motion, other).horizontalMetres + 2)
      }),
    )
  })

  test('is the same seen from either target, and in a turned frame', () => {
    fc.assert(
      fc.property(motions, fc.double({ min: 0, max: 7, noNaN: true }), (motion, angle) => {
        fc.pre(Math.hypot(motion.eastMetresPerSecond, motion.northMetresPerSecond) > 0.1)
        const seconds = timeOfClosestApproach(motion)
        const tolerance = 1e-6 * (1 + Math.abs(seconds))
        expect(Math.abs(timeOfClosestApproach(mirror(motion)) - seconds)).toBeLessThan(tolerance)
        expect(Math.abs(timeOfClosestApproach(rotate(motion, angle)) - seconds)).toBeLessThan(tolerance)
      }),
    )
  })

  test('moves by as many seconds as the targets have flown', () => {
    fc.assert(
      fc.property(motions, fc.double({ min: -100, max: 100, noNaN: true }), (motion, elapsed) => {
        fc.pre(Math.hypot(motion.eastMetresPerSecond, motion.northMetresPerSecond) > 1)
        const later = {
          ...motion,
          eastMetres: motion.eastMetres + motion.eastMetresPerSecond * elapsed,
          northMetres: motion.northMetres + motion.northMetresPerSecond * elapsed,
        }
        expect(timeOfClosestApproach(later)).toBeCloseTo(timeOfClosestApproach(motion) - elapsed, 4)
      }),
    )
  })

  test('is at once if the distance does not change', () => {
    expect(timeOfClosestApproach(aMotion({ eastMetres: 700 }))).toBe(0)
  })
})

describe('the loss of separation', () => {
  test('has both distances below the limits inside, and one above them outside', () => {
    fc.assert(
      fc.property(motions, fc.double({ min: 0, max: 60, noNaN: true }), (motion, seconds) => {
        const loss = lossOfSeparation(motion, limits, minute)
        const { horizontalMetres, verticalMetres } = separationAt(motion, seconds)
        const isLost = horizontalMetres < limits.horizontalMetres && (verticalMetres ?? 0) < limits.verticalMetres
        const isInside = loss !== undefined && seconds > loss.fromSeconds && seconds < loss.toSeconds
        const isAtEdge =
          Math.abs(horizontalMetres - limits.horizontalMetres) < 0.01 ||
          Math.abs((verticalMetres ?? 0) - limits.verticalMetres) < 0.01
        expect(isAtEdge || isInside === isLost || Math.abs(seconds % 60) < 1e-6).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('is the same seen from either target, and in a turned frame', () => {
    fc.assert(
      fc.property(motions, fc.double({ min: 0, max: 7, noNaN: true }), (motion, angle) => {
        const near = { horizontalMetres: 5_000, verticalMetres: 1_000 }
        const loss = lossOfSeparation(motion, near, minute)
        for (const same of [mirror(motion), rotate(motion, angle)]) {
          const other = lossOfSeparation(same, near, minute)
          const length = (interval: typeof loss) => (interval ? interval.toSeconds - interval.fromSeconds : 0)
          expect(Math.abs(length(other) - length(loss))).toBeLessThan(1)
        }
      }),
    )
  })

  test('needs both limits at the same time: level only before they are near, they do not lose it', () => {
    const crossing = { eastMetres: 6_000, eastMetresPerSecond: -100, upMetres: 0, upMetresPerSecond: 10 }
    expect(lossOfSeparation(aMotion(crossing), limits, minute)).toBeUndefined()
  })

  test('begins where a climb reaches the level of a target above', () => {
    const below = aMotion({ eastMetres: 100, upMetres: 400, upMetresPerSecond: -10 })
    expect(lossOfSeparation(below, limits, minute)).toEqual({ fromSeconds: 25, toSeconds: 55 })
  })

  test('counts targets without comparable altitudes as level', () => {
    const headOn = aMotion({ eastMetres: 5_000, eastMetresPerSecond: -200, upMetres: null })
    expect(lossOfSeparation(headOn, limits, minute)).toEqual({ fromSeconds: 20, toSeconds: 30 })
  })

  test('at rest relative to each other lasts for the whole window, or does not exist', () => {
    expect(lossOfSeparation(aMotion({ eastMetres: 999 }), limits, minute)).toEqual(minute)
    expect(lossOfSeparation(aMotion({ eastMetres: 1_000 }), limits, minute)).toBeUndefined()
  })
})
