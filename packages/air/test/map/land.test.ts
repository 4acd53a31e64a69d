import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toLandBytes } from '../../build/land.ts'
import { type Line, readLand } from '../../src/map/draw/ground/land.ts'
import { toLat, toLon, toX, toY } from '../../src/map/model/mercator.ts'

const world = JSON.parse(readFileSync(new URL(import.meta.resolve('world-atlas/countries-110m.json')), 'utf8'))
const lines = readLand(toLandBytes(world))

/** By the even-odd rule, as the canvas fills it. */
function isLand(lat: number, lon: number): boolean {
  const [x, y] = [toX(lon), toY(lat)]
  const crossings = ({ points }: Line) => {
    let count = 0
    for (let a = 0, b = points.length - 2; a < points.length; b = a, a += 2) {
      const [ax = 0, ay = 0, bx = 0, by = 0] = [points[a], points[a + 1], points[b], points[b + 1]]
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) count++
    }
    return count
  }
  return lines.filter(({ isBorder }) => !isBorder).reduce((sum, line) => sum + crossings(line), 0) % 2 === 1
}

test.each([
  ['Nevada', 39, -116, true],
  ['the Pacific', 36, -130, false],
  ['Paris', 48.8, 2.3, true],
  ['the Caspian Sea', 42, 50.5, false],
  ['Chukotka, beyond longitude 180', 67, -175, true],
  ['the South Pole', -84, 0, true],
] as const)('%s is land or sea as it is on the ground', (_name, lat, lon, expected) => {
  expect(isLand(lat, lon)).toBe(expected)
})

test('borders are lines between countries', () => {
  expect(lines.filter(({ isBorder }) => isBorder).length).toBeGreaterThan(100)
})

test('positions come back from the projection', () => {
  for (const [lat, lon] of [
    [60.3, 24.9],
    [-33.9, 151.2],
    [0, -180],
  ] as const) {
    expect([toLat(toY(lat)), toLon(toX(lon))]).toEqual([expect.closeTo(lat, 9), expect.closeTo(lon, 9)])
  }
})
