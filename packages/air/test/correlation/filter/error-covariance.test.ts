import { expect, test } from 'vitest'
import {
  acrossVarianceOf,
  alongVarianceOf,
  toErrorCovariance,
} from '../../../src/correlation/filter/error-covariance.ts'

test('a clock that is ahead by what the place is behind changes nothing for targets of one velocity', () => {
  // 2 s of uncertainty at 100 m/s to the north: 200 m of uncertainty to the north that always go with it.
  const errors = { time: 4, timeEast: 0, timeNorth: 400, east: 0, eastNorth: 0, north: 40_000 }

  expect(alongVarianceOf(errors, 0, 1, 100)).toBe(0)
  expect(acrossVarianceOf(errors, 0, 1)).toBe(0)
  expect(alongVarianceOf(errors, 0, -1, 100)).toBe(160_000)
})

test('independent errors of clock and place add up along the velocity; across it there is the place only', () => {
  const errors = toErrorCovariance(0.25, 100)

  expect(alongVarianceOf(errors, 0.6, 0.8, 40)).toBeCloseTo(400 + 100)
  expect(acrossVarianceOf(errors, 0.6, 0.8)).toBeCloseTo(100)
})
