import { limitsFor } from '@posrep/air/alerts'
import type { PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { metresBetween } from '../../src/demo/place.ts'
import { circuitSeconds, drone, lightAircraft } from '../../src/demo/staged-flights.ts'

const at = new Date('2026-01-07T12:00:00Z')

function metresApart(second: number): number {
  return metresBetween(lightAircraft(second, at).position, drone(second, at).position)
}

const tenCircuits = Array.from({ length: Math.floor(10 * circuitSeconds) }, (_, second) => second)

test('in every circuit the light aircraft passes the drone within the limits of a conflict, and leaves them again', () => {
  const { horizontalMetres } = limitsFor('automatic', {
    hasDrone: true,
    speedMetresPerSecond: 45,
    heightMetres: 200,
    isFormation: false,
  })
  for (let circuit = 0; circuit < 10; circuit++) {
    const seconds = tenCircuits.filter((second) => Math.floor(second / circuitSeconds) === circuit)
    const apart = seconds.map(metresApart)

    expect(Math.min(...apart)).toBeLessThan(horizontalMetres)
    expect(Math.max(...apart)).toBeGreaterThan(2 * horizontalMetres)
  }
})

test('a user who starts the demo has half a minute to open the map before the first pass, and waits two minutes at most', () => {
  const near = tenCircuits.filter((second) => metresApart(second) < 600)
  const waits = near.map((second, index) => second - (near[index - 1] ?? 0))

  expect(near[0]).toBeGreaterThan(30)
  expect(Math.max(...waits)).toBeLessThan(150)
})

test('both flights move as their velocities say', () => {
  const flights: ((seconds: number) => PositionData)[] = [
    (seconds) => drone(seconds, at),
    (seconds) => lightAircraft(seconds, at),
  ]
  for (const flight of flights) {
    const [before, after] = [flight(60), flight(60.1)]
    const { x = 0, y = 0 } = before.groundVelocity ?? {}

    expect(metresBetween(before.position, after.position)).toBeCloseTo(Math.hypot(x, y) / 10, 1)
  }
})
