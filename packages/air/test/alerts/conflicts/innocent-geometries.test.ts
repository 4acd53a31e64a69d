import { expect, test } from 'vitest'
import { displace } from '../../../src/alerts/local-plane.ts'
import type { Track } from '../../../src/track/track.ts'
import { aTrack, type Flight, flying, origin, run, startMs } from '../a-track.ts'

const conflictsIn = (seconds: number, tracksAt: (timeMs: number) => Track[], separation = 'automatic' as const) =>
  run({ seconds, tracksAt, separation }).raised.map(({ second, alert }) => `${second} s: ${alert.text}`)

const conflictsOf = (seconds: number, ...flights: Flight[]) => conflictsIn(seconds, flying(...flights))

/**
 * A left-hand circuit of 2 × 4.8 km by 1.5 km at 45 m/s, 300 m above the field: final, take-off run, upwind, crosswind,
 * downwind, base.
 */
function inCircuit(id: string, secondsAhead: number): (timeMs: number) => Track {
  const [length, width, speed] = [4_800, 1_500, 45]
  const around = 2 * (length + width)
  return (timeMs) => {
    const along = (((((timeMs - startMs) / 1_000 + secondsAhead) * speed) % around) + around) % around
    const legs: [number, number, number, number, number][] = [
      [0, 0, 1, 0, length],
      [length, 0, 0, 1, width],
      [length, width, -1, 0, length],
      [0, width, 0, -1, width],
    ]
    let left = along
    for (const [east, north, dirEast, dirNorth, metres] of legs) {
      if (left <= metres) {
        // Final and upwind are the first leg: down to the runway in its middle, then up again.
        const isRunwayLeg = dirEast === 1
        const part = left / metres
        const up = isRunwayLeg ? 300 * Math.abs(1 - 2 * part) : 300
        const climb = isRunwayLeg ? ((part < 0.5 ? -1 : 1) * 600 * speed) / metres : 0
        const place = displace(origin, { eastMetres: east + dirEast * left, northMetres: north + dirNorth * left })
        return aTrack({ id, up, velocity: [dirEast * speed, dirNorth * speed, climb], track: place }, timeMs)
      }
      left -= metres
    }
    throw new Error('Outside the circuit')
  }
}

test('three aircraft in a circuit, evenly spaced, cause no alert', () => {
  const lap = 12_600 / 45
  const aircraft = [0, 1, 2].map((index) => inCircuit(`t${index}`, (index * lap) / 3))
  expect(conflictsIn(600, (timeMs) => aircraft.map((trackAt) => trackAt(timeMs)))).toEqual([])
})

test('an aircraft that joins downwind 2 km behind another one causes no alert', () => {
  const [one, other] = [inCircuit('t0', 180), inCircuit('t1', 20)]
  // From the north at the height of the circuit, then along the downwind leg.
  const joining = (timeMs: number) => {
    const metres = ((timeMs - startMs) / 1_000) * 45
    const inbound = Math.min(metres, 3_000)
    const place = displace(origin, { eastMetres: 4_700 - (metres - inbound), northMetres: 4_500 - inbound })
    const velocity: [number, number] = metres < 3_000 ? [0, -45] : [-45, 0]
    return aTrack({ id: 't2', up: 300, velocity, track: place }, timeMs)
  }
  expect(conflictsIn(130, (timeMs) => [one(timeMs), other(timeMs), joining(timeMs)])).toEqual([])
})

test('two aircraft on opposite base legs, the second 1.5 km further out, cause no alert', () => {
  const onBase = (id: string, side: 1 | -1, east: number) => (timeMs: number) => {
    const metres = ((timeMs - startMs) / 1_000) * 40
    const toFinal = Math.min(metres, 1_200)
    const place = displace(origin, { eastMetres: east + metres - toFinal, northMetres: side * (1_200 - toFinal) })
    const velocity: [number, number] = metres < 1_200 ? [0, -side * 40] : [40, 0]
    return aTrack({ id, up: 200, velocity, track: place }, timeMs)
  }
  const [first, second] = [onBase('t1', 1, 0), onBase('t2', -1, -1_500)]
  expect(conflictsIn(60, (timeMs) => [first(timeMs), second(timeMs)])).toEqual([])
})

test('a formation causes no alert with its preset', () => {
  const { raised } = run({
    separation: 'formation',
    seconds: 300,
    tracksAt: flying({ velocity: [70, 0] }, { east: -40, north: 45, up: 1_005, velocity: [70, 0] }),
  })
  expect(raised).toEqual([])
})

test('a formation is recognised after a minute of flying together: its preset applies, and the alert ends', () => {
  const { alerts, raised } = run({
    seconds: 90,
    tracksAt: flying({ velocity: [70, 0] }, { east: -40, north: 45, up: 1_005, velocity: [70, 0] }),
  })
  expect(raised).toHaveLength(1)
  expect(alerts.list().map(({ state }) => state)).toEqual(['ended'])
})

test('a formation is not predicted further ahead than its velocities are known', () => {
  // They seem to close by 8 m/s: 30 m apart in 6 s.
  const closing = (accuracyMetresPerSecond: number) =>
    run({
      separation: 'formation',
      seconds: 1,
      tracksAt: flying(
        { velocity: [70, 0] },
        {
          east: -80,
          up: 1_005,
          velocity: [78, 0],
          track: { velocity: { eastMetresPerSecond: 78, northMetresPerSecond: 0, accuracyMetresPerSecond } },
        },
      ),
    }).raised
  expect(closing(1)).toHaveLength(1)
  expect(closing(8)).toEqual([])
})

test('aircraft that taxi past each other and past parked ones cause no alert', () => {
  const onGround = { track: { onGround: true } }
  expect(
    conflictsOf(
      120,
      { velocity: [8, 0], up: 50, ...onGround },
      { east: 600, north: 30, velocity: [-8, 0], up: 50, ...onGround },
      { east: 300, north: -30, velocity: [0, 0], up: 50, ...onGround },
    ),
  ).toEqual([])
})

test('taxiing aircraft that do not say that they are on the ground cause no alert', () => {
  expect(conflictsOf(120, { velocity: [8, 0], up: 50 }, { east: 600, north: 30, velocity: [-8, 0], up: 50 })).toEqual(
    [],
  )
})

test('slow aircraft high above the sea are not taken for taxiing ones', () => {
  const headOn = (up: number): Flight[] => [
    { velocity: [12, 0], up },
    { east: 900, velocity: [-12, 0], up },
  ]
  expect(conflictsOf(60, ...headOn(50))).toEqual([])
  expect(conflictsOf(60, ...headOn(1_500))).toHaveLength(1)
})

test('slow aircraft near one that says it is on the ground are taken for taxiing ones, however high the airport is', () => {
  const parked: Flight = { east: 400, north: 300, velocity: [0, 0], up: 1_655, track: { onGround: true } }
  const headOn: Flight[] = [
    { velocity: [12, 0], up: 1_660 },
    { east: 900, velocity: [-12, 0], up: 1_660 },
  ]
  expect(conflictsOf(60, ...headOn, parked)).toEqual([])
})

test('two tracks of one ICAO address are one target, which is in no conflict with itself', () => {
  const track = { identifiers: [{ kind: 'ICAO' as const, id: '461F9C' }] }
  expect(conflictsOf(60, { velocity: [100, 0], track }, { east: 150, velocity: [100, 0], track })).toEqual([])
})

test('aircraft that land and depart above taxiing ones cause no alert', () => {
  expect(
    conflictsOf(
      60,
      { east: -4_000, velocity: [70, 0, -3.5], up: 280 },
      { north: 100, velocity: [8, 0], up: 50, track: { onGround: true } },
    ),
  ).toEqual([])
})

test('two arrivals on parallel runways 1,035 m apart cause no alert', () => {
  expect(
    conflictsOf(120, { velocity: [80, 0, -4], up: 900 }, { east: 300, north: 1_035, velocity: [80, 0, -4], up: 900 }),
  ).toEqual([])
})

test('cruising aircraft 1,000 ft above each other cause no alert', () => {
  expect(
    conflictsOf(120, { velocity: [230, 0], up: 10_000 }, { east: 40_000, velocity: [-230, 0], up: 10_305 }),
  ).toEqual([])
})

test('an aircraft that passes 5 km behind another one causes no alert', () => {
  expect(conflictsOf(120, { velocity: [120, 0] }, { east: -5_000, north: -8_000, velocity: [0, 120] })).toEqual([])
})

test('aircraft that have just passed each other and move apart cause no alert', () => {
  expect(conflictsOf(30, { east: 300, velocity: [120, 0] }, { velocity: [-120, 0] })).toEqual([])
})

test('a drone far below an aircraft causes no alert', () => {
  expect(
    conflictsOf(120, { east: -6_000, velocity: [100, 0], up: 600 }, { velocity: [0, 0], up: 100, drone: true }),
  ).toEqual([])
})

test('a tentative track causes no alert', () => {
  expect(
    conflictsOf(30, { velocity: [100, 0], track: { state: 'tentative' } }, { east: 3_000, velocity: [-100, 0] }),
  ).toEqual([])
})

test('a track that was not seen for 20 s causes no alert', () => {
  const tracksAt = (timeMs: number) => [
    aTrack({ id: 't1', velocity: [100, 0], track: { state: 'coasting' } }, timeMs - 20_001),
    aTrack({ id: 't2', east: 3_000, velocity: [-100, 0] }, timeMs),
  ]
  expect(conflictsIn(30, tracksAt)).toEqual([])
})

test('a track whose velocity is unknown or impossible causes no alert', () => {
  expect(conflictsOf(30, { velocity: null }, { east: 3_000, velocity: [-100, 0] })).toEqual([])
  expect(conflictsOf(30, { velocity: [1e300, 0], track: origin }, { east: 3_000, velocity: [-100, 0] })).toEqual([])
})
