import type { AirConflict } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { displace } from '../../../src/alerts/local-plane.ts'
import { aTrack, type Flight, flying, run, startMs } from '../a-track.ts'

function conflictsOf(seconds: number, ...flights: Flight[]) {
  const { alerts, changes, raised } = run({ seconds, tracksAt: flying(...flights) })
  const first = raised.find(({ alert }) => alert.kind === 'conflict')
  return { alerts, changes, raisedAtSecond: first?.second, first: first?.alert, conflict: first?.alert.conflict }
}

/** The prediction at the time of the alert, counted from second 0. */
const closestSecond = (conflict: AirConflict | undefined) => (Date.parse(conflict?.closestAt ?? '') - startMs) / 1_000

// Tolerances: 0.2 s and 5 m, for the curvature of the earth and the rounding of the answer. An alert comes at the first
// update in the look-ahead, or two later if there is time.
describe('an encounter with a known answer', () => {
  test('head-on: 2 × 120 m/s, 12 km apart, 200 m aside, 50 m below: closest after 50 s', () => {
    const { raisedAtSecond, conflict } = conflictsOf(
      60,
      { velocity: [120, 0], up: 3_000 },
      { east: 12_000, north: 200, velocity: [-120, 0], up: 2_950 },
    )
    // The limits of 1,219 m are reached 5 s before; the look-ahead is 35 s: second 10, and two more.
    expect(raisedAtSecond).toBeGreaterThanOrEqual(10)
    expect(raisedAtSecond).toBeLessThanOrEqual(13)
    expect(conflict?.limits).toMatchObject({ preset: 'well-clear', lookAheadSeconds: 35 })
    expect(Math.abs(closestSecond(conflict) - 50)).toBeLessThan(0.2)
    expect(Math.abs((conflict?.horizontalMetres ?? 0) - 200)).toBeLessThan(5)
    expect(conflict?.verticalMetres).toBeCloseTo(50, 0)
  })

  test('overtaking: 40 m/s faster, 3 km behind, 100 m aside: closest after 75 s', () => {
    const { raisedAtSecond, conflict } = conflictsOf(
      80,
      { velocity: [90, 0] },
      { east: -3_000, north: 100, velocity: [130, 0] },
    )
    // 1,215 m before the closest approach is second 44.6, minus 35 s.
    expect(raisedAtSecond).toBeGreaterThanOrEqual(9)
    expect(raisedAtSecond).toBeLessThanOrEqual(13)
    expect(Math.abs(closestSecond(conflict) - 75)).toBeLessThan(0.2)
    expect(Math.abs((conflict?.horizontalMetres ?? 0) - 100)).toBeLessThan(5)
  })

  test('crossing at right angles: 300 m behind the tail: closest after 60 s', () => {
    const { conflict } = conflictsOf(
      70,
      { east: -6_000, velocity: [100, 0] },
      // Passes the crossing 4.24 s later, which is a miss of 300 m.
      { north: -6_424.26, velocity: [0, 100] },
    )
    expect(Math.abs(closestSecond(conflict) - 62.12)).toBeLessThan(0.2)
    expect(Math.abs((conflict?.horizontalMetres ?? 0) - 300)).toBeLessThan(5)
  })

  test('climbing through: 10 m/s from 500 m below, level at the closest approach', () => {
    const { conflict, raisedAtSecond } = conflictsOf(
      60,
      { velocity: [100, 0, 10], up: 500 },
      { east: 10_000, velocity: [-100, 0], up: 1_000 },
    )
    expect(raisedAtSecond).toBeDefined()
    expect(Math.abs(closestSecond(conflict) - 50)).toBeLessThan(0.2)
    expect(conflict?.verticalMetres).toBeLessThan(1)
  })

  test('climbing into the level of one that flies beside: closest when level', () => {
    const { conflict } = conflictsOf(
      120,
      { velocity: [80, 0, 5], up: 400 },
      { north: 300, velocity: [80, 0], up: 1_000 },
    )
    expect(Math.abs((conflict?.horizontalMetres ?? 0) - 300)).toBeLessThan(5)
    expect(conflict?.verticalMetres).toBeLessThan(1)
    expect(Math.abs(closestSecond(conflict) - 120)).toBeLessThan(0.2)
  })

  test('hover: an aircraft flies towards a drone that stands still: closest after 100 s', () => {
    const { conflict, first, raisedAtSecond } = conflictsOf(
      110,
      { name: 'FIN5LA', velocity: [50, 0], up: 150 },
      { name: '1581F45', east: 5_000, north: 120, velocity: [0, 0], up: 100, drone: true },
    )
    // 598 m before the closest approach is second 88, minus 60 s.
    expect(raisedAtSecond).toBeGreaterThanOrEqual(28)
    expect(raisedAtSecond).toBeLessThanOrEqual(31)
    expect(conflict?.limits.preset).toBe('low-altitude-drone')
    expect(Math.abs(closestSecond(conflict) - 100)).toBeLessThan(0.2)
    expect(first?.text).toBe(
      `FIN5LA and drone 1581F45 pass within 120 m and 50 m of altitude in ${100 - (raisedAtSecond ?? 0)} s`,
    )
  })

  test('parallel: 600 m beside each other at the same speed: 600 m, now', () => {
    const { conflict, raisedAtSecond } = conflictsOf(
      10,
      { velocity: [120, 0], up: 3_000 },
      { north: 600, velocity: [120, 0], up: 3_000 },
    )
    expect(raisedAtSecond).toBe(0)
    expect(conflict?.timeToClosestSeconds).toBe(0)
    expect(Math.abs((conflict?.horizontalMetres ?? 0) - 600)).toBeLessThan(5)
  })

  test('parallel: 1,400 m beside each other, beyond the limits: no alert', () => {
    const { first } = conflictsOf(100, { velocity: [120, 0] }, { north: 1_400, velocity: [120, 0] })
    expect(first).toBeUndefined()
  })

  test('stationary on the ground: a landing passes above a parked one: no alert', () => {
    const { first } = conflictsOf(
      60,
      { velocity: [70, 0, -3], up: 150, east: -2_000 },
      { velocity: [0, 0], up: 50, track: { onGround: true } },
    )
    expect(first).toBeUndefined()
  })
})

test('two tracks with estimates of different times are compared at the same time', () => {
  const tracksAt = (nowMs: number) => [
    aTrack({ id: 't1', velocity: [100, 0], up: 3_000 }, nowMs - 4_000),
    aTrack({ id: 't2', east: 10_000, velocity: [-100, 0], up: 3_000 }, nowMs),
  ]
  const { raised } = run({ seconds: 30, tracksAt })
  expect(Math.abs(closestSecond(raised[0]?.alert.conflict) - 50)).toBeLessThan(0.2)
})

test('a conflict shows the estimates that it was computed from, and where both tracks are when they are closest', () => {
  const { conflict } = conflictsOf(
    40,
    { velocity: [120, 0], up: 3_000 },
    { east: 12_000, north: 200, velocity: [-120, 0], up: 2_950 },
  )
  const [own, other] = conflict?.tracks ?? []
  const middle = displace({ latDegrees: 60.3, lonDegrees: 24.9 }, { eastMetres: 6_000, northMetres: 0 })
  expect(own).toMatchObject({
    trackId: 't1',
    position: { lat: expect.closeTo(60.3, 3), accuracy: 12.2 },
    altitude: { height: 3_000, datum: 'msl', provenance: 'given' },
    groundVelocity: { x: 120, y: 0, z: 0 },
    closestPosition: { lat: expect.closeTo(60.3, 4), lon: expect.closeTo(middle.lonDegrees, 4) },
  })
  expect(other).toMatchObject({ trackId: 't2', altitude: { height: 2_950 } })
})

describe('altitudes', () => {
  const headOn = (first: Flight, second: Flight) =>
    conflictsOf(30, { velocity: [120, 0], ...first }, { east: 8_000, velocity: [-120, 0], ...second })
  const above = (datum: 'bar' | 'wgs84' | 'msl', heightMetres: number, derived = false) => ({
    track: {
      altitudes: [
        {
          datum,
          heightMetres,
          ...(derived ? { provenance: 'derived' as const, accuracyMetres: 120 } : { provenance: 'given' as const }),
        },
      ],
    },
  })

  test('above different datums are compared within the bounds of weather and temperature, and the text says so', () => {
    const { first, conflict } = headOn(above('bar', 3_000), above('msl', 2_500))
    expect(conflict?.verticalMetres).toBe(500)
    expect(first?.text).toContain('the altitudes are converted, to about 600 m')
    expect(headOn(above('bar', 3_000), above('msl', 2_250)).first).toBeUndefined()
  })

  test('of a drone at 100 m and of an airliner that reports its pressure altitude only are no conflict', () => {
    const drone = { ...above('wgs84', 118), drone: true, velocity: [5, 0] as [number, number] }
    expect(headOn(above('bar', 10_400), drone).first).toBeUndefined()
  })

  test('above different datums are compared by a target near them that reports both', () => {
    const both = { ...above('bar', 2_950), id: 't3', east: 40_000, north: 40_000 }
    both.track.altitudes.push({ datum: 'msl', heightMetres: 2_800, provenance: 'given' })
    const { first, conflict } = conflictsOf(
      30,
      { velocity: [120, 0], ...above('bar', 3_000) },
      { east: 8_000, velocity: [-120, 0], ...above('msl', 2_850) },
      both,
    )
    expect(conflict?.verticalMetres).toBe(0)
    expect(first?.text).toContain('the altitudes are converted, to about')
    expect(first?.text).not.toContain('600 m')
  })

  test('that are unknown count as level', () => {
    const { first, conflict } = headOn({ up: null }, { up: 9_000 })
    expect(conflict?.verticalMetres).toBeNull()
    expect(first?.text).toContain('their altitudes cannot be compared, so they may be level')
  })

  test('of 1,000 m difference are no conflict', () => {
    expect(headOn(above('bar', 3_000), above('bar', 4_000)).first).toBeUndefined()
  })

  test('that were converted count as level up to their error more, and the text says so', () => {
    const { first, conflict } = headOn(above('msl', 3_000), above('msl', 3_180, true))
    expect(conflict?.verticalMetres).toBe(180)
    expect(first?.text).toContain('the altitudes are converted, to about 62 m')
    expect(headOn(above('msl', 3_000), above('msl', 3_210, true)).first).toBeUndefined()
  })
})

test('a pair that closes slowly is alerted at the limits, not taken for a formation', () => {
  const { raised } = run({
    seconds: 800,
    tracksAt: flying({ velocity: [120, 0], up: 3_000 }, { north: 1_900, velocity: [120, -1.5], up: 3_000 }),
  })
  expect(raised).toHaveLength(1)
  // 4,000 ft are reached after 454 s, which is predicted 35 s before.
  expect(raised[0]?.second).toBeGreaterThan(415)
  expect(raised[0]?.second).toBeLessThan(430)
})

test('low and slow aircraft have the limits of terminal areas, high ones those en route', () => {
  const beside = (up: number): Flight[] => [
    { velocity: [80, 0], up },
    { north: 800, velocity: [80, 0], up },
  ]
  expect(run({ seconds: 20, tracksAt: flying(...beside(600)) }).raised).toEqual([])
  const [raised] = run({ seconds: 20, tracksAt: flying(...beside(2_000)) }).raised
  expect(raised?.alert.conflict?.limits.preset).toBe('well-clear')
})
