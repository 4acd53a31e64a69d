import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AxisCovariance, predictAxis, updateAxis, updateVelocity } from '../../src/correlation/filter/axis.ts'
import {
  eastOf,
  frameAt,
  move,
  northOf,
  toLatDegrees,
  toLonDegrees,
  toVector,
} from '../../src/correlation/filter/local-frame.ts'

const variance = fc.double({ min: 0.01, max: 1e8, noNaN: true })
const axisStep = fc.record({
  kind: fc.constantFrom('predict', 'position', 'velocity'),
  seconds: fc.double({ min: -10, max: 60, noNaN: true }),
  variance,
})

test('a covariance stays symmetric and positive in any order of predictions and measurements', () => {
  fc.assert(
    fc.property(variance, variance, fc.array(axisStep, { maxLength: 60 }), (position, velocity, steps) => {
      const axis: AxisCovariance = { position, mixed: 0, velocity }
      for (const { kind, seconds, variance: noise } of steps) {
        if (kind === 'predict') predictAxis(axis, Math.abs(seconds), 4)
        else if (kind === 'velocity') updateVelocity(axis, 1, noise)
        else {
          const lag = Math.min(0, seconds)
          updateAxis(axis, lag, 1, axis.position + 2 * lag * axis.mixed + lag * lag * axis.velocity + noise)
        }
        expect(axis.position).toBeGreaterThan(0)
        expect(axis.velocity).toBeGreaterThan(0)
        expect(axis.mixed ** 2).toBeLessThanOrEqual(axis.position * axis.velocity * (1 + 1e-6))
      }
    }),
  )
})

test('a measured position is weighed against the prediction by the variances', () => {
  const axis: AxisCovariance = { position: 300, mixed: 0, velocity: 1 }

  const change = updateAxis(axis, 0, 40, 400)

  expect(change.position).toBeCloseTo(30)
  expect(axis.position).toBeCloseTo(75)
})

test('a move by metres and its measurement agree anywhere', () => {
  const degrees = fc.double({ min: -89.99, max: 89.99, noNaN: true })
  const lon = fc.double({ min: -180, max: 179.99, noNaN: true })
  const metres = fc.double({ min: -5_000, max: 5_000, noNaN: true })
  fc.assert(
    fc.property(degrees, lon, metres, metres, (latDegrees, lonDegrees, east, north) => {
      const from = toVector(latDegrees, lonDegrees)
      const frame = frameAt(from)
      const to = { ...from }
      move(to, frame, east, north)

      expect(eastOf(frame, from, to)).toBeCloseTo(east, 1)
      expect(northOf(frame, from, to)).toBeCloseTo(north, 1)
    }),
  )
})

/** Lengths of a degree on WGS 84, NIMA TR8350.2: 111,412 m of latitude and 55,800 m of longitude at 60 degrees. */
test('metres are those of the ellipsoid', () => {
  const from = toVector(60, 25)
  const frame = frameAt(from)

  expect(northOf(frame, from, toVector(60.01, 25))).toBeCloseTo(1_114.12, 0)
  expect(eastOf(frame, from, toVector(60, 25.01))).toBeCloseTo(558, 0)
})

test('a place keeps its latitude and longitude', () => {
  expect(toLatDegrees(toVector(-33.9, 151.2))).toBeCloseTo(-33.9, 10)
  expect(toLonDegrees(toVector(-33.9, 151.2))).toBeCloseTo(151.2, 10)
  expect(toLonDegrees(toVector(10, -180))).toBe(-180)
})
