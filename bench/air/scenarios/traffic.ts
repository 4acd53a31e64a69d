/** Traffic that keeps apart: aircraft on straight and turning paths at levels of their own, spread over a disc. */
import type { TrueTarget } from '../metrics/truth.ts'
import { createRandom } from '../random.ts'
import { fly, type Leg } from './flights.ts'

/** No two are closer than a level of 300 m and, as their paths are chosen, mostly kilometres. */
export function makeTraffic(count: number, seconds: number, seed: number, radiusMetres = 40_000): TrueTarget[] {
  const random = createRandom(seed * 7_919)
  return Array.from({ length: count }, (_, number) => {
    const bearing = 2 * Math.PI * random.uniform()
    const range = radiusMetres * Math.sqrt(random.uniform())
    const legs: Leg[] = []
    for (let left = seconds; left > 0; ) {
      const straight = Math.min(left, 60 + 120 * random.uniform())
      legs.push({ seconds: straight })
      left -= straight
      const turn = Math.min(left, 20 + 30 * random.uniform())
      if (turn > 0) legs.push({ seconds: turn, turnDegreesPerSecond: random.uniform() < 0.5 ? -1.5 : 1.5 })
      left -= turn
    }
    return fly({
      identity: toAddress(number),
      eastMetres: range * Math.sin(bearing),
      northMetres: range * Math.cos(bearing),
      pressureMetres: 1_500 + 305 * (number % 32),
      courseDegrees: 360 * random.uniform(),
      speedMetresPerSecond: 100 + 130 * random.uniform(),
      legs,
    })
  })
}

export function toAddress(number: number): string {
  return (0x460000 + number).toString(16).toUpperCase()
}
