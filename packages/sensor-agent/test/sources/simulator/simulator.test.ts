import { vPositionData } from '@posrep/spec/validators'
import { is } from 'valibot'
import { expect, test } from 'vitest'
import { circle, type Flight } from '../../../src/sources/simulator/flights.ts'
import { type SimulatorOptions, simulatorSource } from '../../../src/sources/simulator/simulator-source.ts'
import { breathe, createInstantClock } from '../../support/manual-clock.ts'
import { runASource } from '../../support/run-a-source.ts'

test('every aircraft has a valid position each second', async () => {
  const positions = await simulate({ targets: 3 }, 30)

  expect(positions.every((position) => is(vPositionData, position))).toBe(true)
  expect(positions.slice(0, 4).map(({ id }) => id.split('-')[0])).toEqual(['SIM0001', 'SIM0002', 'SIM0003', 'SIM0001'])
  expect(Date.parse(positions[3]?.sourceTimeStamp ?? '') - Date.parse(positions[0]?.sourceTimeStamp ?? '')).toBe(1_000)
})

test('an aircraft is named by its call sign, as lists and alerts of the service name it', async () => {
  const [position] = await simulate({ targets: 1 }, 1)

  expect(position?.target).toMatchObject({
    sourceId: 'SIM0001',
    type: 'aa:target:aircraft',
    ids: [{ id: 'SIM0001', type: 'CallSign' }],
  })
})

test('the velocity of a circle agrees with the distance between two positions', async () => {
  const positions = await simulate({ targets: 1 }, 2)

  const [a, b] = positions
  const metres = distance(a, b)
  expect(metres).toBeGreaterThan(59)
  expect(metres).toBeLessThan(61)
  expect(Math.hypot(a?.groundVelocity?.x ?? 0, a?.groundVelocity?.y ?? 0)).toBeCloseTo(60, 1)
})

test('however many aircraft fly in circles, no two are near each other on the same level', () => {
  const flights = Array.from({ length: 120 }, (_, index) => circle({ lat: 60.3, lon: 25.6 }, index))

  const near = Array.from({ length: 60 }, (_, minute) => flights.map(({ at }) => at(minute * 11))).flatMap((places) =>
    places.flatMap((a, index) => places.slice(index + 1).filter((b) => isNear(a, b))),
  )

  expect(near).toEqual([])
})

/** Closer than 150 m on the vertical and 4 km on the horizontal; a degree of latitude has 111 km. */
function isNear(a: ReturnType<Flight['at']>, b: ReturnType<Flight['at']>): boolean {
  const kilometresApart = 111 * Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180))
  return Math.abs(a.heightMetres - b.heightMetres) < 150 && kilometresApart < 4
}

test('a pair meets at the given distance, 50 s after the start', async () => {
  const positions = await simulate({ pattern: 'encounters', targets: 2, missDistanceMetres: 250 }, 2 * 101)

  const distances = Array.from({ length: 100 }, (_, second) =>
    distance(positions[2 * second], positions[2 * second + 1]),
  )
  expect(distances.indexOf(Math.min(...distances))).toBe(50)
  expect(distances[50]).toBeGreaterThan(247)
  expect(distances[50]).toBeLessThan(253)
  expect(distances[0]).toBeGreaterThan(5_900)
})

test('a pair needs an even number of aircraft', () => {
  expect(() => simulatorSource({ pattern: 'encounters', targets: 3 })).toThrow('"targets" must be even')
})

async function simulate(options: SimulatorOptions, count: number) {
  const clock = createInstantClock()
  // Between two intervals other code gets its turn, so that the source can be stopped.
  const sleep = async (ms: number, signal?: AbortSignal) => {
    await clock.sleep(ms, signal)
    await breathe()
  }
  const source = runASource(simulatorSource(options), { ...clock, sleep })
  await source.until(() => source.positions.length >= count)
  await source.stop()
  return source.positions.slice(0, count)
}

interface Place {
  position: { lat: number; lon: number }
}

/** In metres, on a sphere of 6,371 km. */
function distance(a: Place | undefined, b: Place | undefined): number {
  if (!a || !b) throw new Error('no position')
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const north = radians(b.position.lat - a.position.lat)
  const east = radians(b.position.lon - a.position.lon) * Math.cos(radians(a.position.lat))
  return 6_371_000 * Math.hypot(north, east)
}
