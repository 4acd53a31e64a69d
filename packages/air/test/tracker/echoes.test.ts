/** What a radar saw of an aircraft and a receiver passes on beside its transponder (TIS-B), and what is another one. */
import type { PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createTracker } from '../../src/tracker/create-tracker.ts'
import type { Tracker } from '../../src/tracker/tracker.ts'
import { anAircraft, roof1 } from './a-flight.ts'

const startMs = Date.UTC(2026, 0, 7, 12)
const metresPerDegree = 111_195

/** By a target that flies straight. Metres from a place, and metres per second. */
interface Flown {
  icao?: string
  anonymousId?: string
  east: number
  north: number
  velocity: readonly [east: number, north: number]
}

function positionOf({ icao, anonymousId = '', east, north, velocity }: Flown, seconds: number): PositionData {
  const [x, y] = velocity
  const lat = 60 + (north + y * seconds) / metresPerDegree
  const lon = 25 + (east + x * seconds) / (metresPerDegree * 0.5)
  return anAircraft(icao ?? anonymousId, startMs + seconds * 1_000, {
    id: `${icao}${anonymousId} ${seconds}`,
    position: { lat, lon, accuracy: icao === undefined ? 185 : 30 },
    target: icao === undefined ? toAnonymous(anonymousId) : { sourceId: icao, ids: [{ id: icao, type: 'ICAO' }] },
    altitudes: [{ height: 3_000, datum: 'bar' }],
    groundVelocity: { x, y, z: 0 },
  })
}

function toAnonymous(id: string): PositionData['target'] {
  return { sourceId: `~${id}`, ids: [{ id, type: 'NonICAO' }] }
}

/** One position of each a second. */
function run(tracker: Tracker, flown: readonly Flown[], from: number, to: number): void {
  for (let seconds = from; seconds < to; seconds++) {
    const receivedAtMs = startMs + seconds * 1_000 + 400
    for (const one of flown) tracker.add({ positions: [positionOf(one, seconds)] }, receivedAtMs, { deviceId: roof1 })
    tracker.advance(receivedAtMs + 500)
  }
}

const aircraft: Flown = { icao: '461F67', east: 0, north: 0, velocity: [150, 0] }

test('an aircraft is never in conflict with its own echo, and takes it in within five seconds', () => {
  const tracker = createTracker()
  run(tracker, [aircraft], 0, 20)

  run(tracker, [aircraft, { ...aircraft, icao: undefined, anonymousId: 'E00001', north: 100 }], 20, 25)

  expect(tracker.alerts()).toEqual([])
  expect(tracker.tracks()).toHaveLength(1)
})

test('echoes of two aircraft that have one id are no targets of their own', () => {
  const tracker = createTracker()
  const other: Flown = { ...aircraft, icao: '461F68', north: 60_000 }
  run(tracker, [aircraft, other], 0, 20)

  const echoes = [aircraft, other].map((one) => ({
    ...one,
    icao: undefined,
    anonymousId: 'E00001',
    north: one.north + 100,
  }))
  run(tracker, [aircraft, other, ...echoes], 20, 40)

  expect(tracker.alerts()).toEqual([])
  expect(tracker.tracks()).toHaveLength(2)
})

test('an anonymous target that is first seen 200 m from an aircraft and crosses it is alerted', () => {
  const tracker = createTracker()
  run(tracker, [aircraft], 0, 20)

  const crossing: Flown = { anonymousId: 'E00001', east: 20 * 150, north: -200 - 20 * 80, velocity: [75, 80] }
  run(tracker, [aircraft, crossing], 20, 24)

  expect(tracker.alerts().map(({ kind }) => kind)).toEqual(['conflict'])
})
