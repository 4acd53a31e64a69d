import type { PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { metresBetween } from '../../src/demo/place.ts'
import { drone, lightAircraft } from '../../src/demo/staged-flights.ts'

const at = new Date('2026-01-07T12:00:00Z')

function closestMetres(fromSeconds: number, toSeconds: number): number {
  let closest = Number.POSITIVE_INFINITY
  for (let second = fromSeconds; second <= toSeconds; second++) {
    const aircraft = lightAircraft(second, at)
    if (aircraft) closest = Math.min(closest, metresBetween(aircraft.position, drone(second, at).position))
  }
  return closest
}

test('the light aircraft passes the drone closely once in every flight', () => {
  expect(closestMetres(0, 60)).toBeGreaterThan(1_000)
  expect(closestMetres(60, 120)).toBeLessThan(400)
  expect(closestMetres(360, 420)).toBeLessThan(400)
})

test('between two flights no receiver hears the light aircraft', () => {
  expect(lightAircraft(250, at)).toBeUndefined()
  expect(lightAircraft(301, at)).toBeDefined()
})

test('both flights move as their velocities say', () => {
  const flights: ((seconds: number) => PositionData | undefined)[] = [
    (seconds) => drone(seconds, at),
    (seconds) => lightAircraft(seconds, at),
  ]
  for (const flight of flights) {
    const [before, after] = [flight(10), flight(10.1)]
    if (!before || !after) throw new Error('not in the air')
    const { x = 0, y = 0 } = before.groundVelocity ?? {}

    expect(metresBetween(before.position, after.position)).toBeCloseTo(Math.hypot(x, y) / 10, 1)
  }
})
