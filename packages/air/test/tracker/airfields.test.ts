/** A high field, where what stands on the ground says nothing but that. */
import type { PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createTracker } from '../../src/tracker/create-tracker.ts'
import { anAircraft, roof1 } from './a-flight.ts'

const startMs = Date.UTC(2026, 0, 7, 12)
const metresPerDegree = 111_195
const fieldMetres = 700

interface Site {
  /** Above the field, of two aircraft that fly abeam, 1,300 m apart and slowly nearer. */
  heightMetres: number
  /** Of another one below them. */
  lowerMetres?: number
  sensorMetres?: number
}

function positionsAt(seconds: number, { heightMetres, lowerMetres }: Site): PositionData[] {
  const fly = (icao: string, north: number, y: number, height: number) =>
    anAircraft(icao, startMs + seconds * 1_000, {
      position: {
        lat: 60 + (north + y * seconds) / metresPerDegree,
        lon: 25 + (45 * seconds) / (metresPerDegree / 2),
        accuracy: 20,
      },
      altitudes: [{ height: fieldMetres + height, datum: 'msl' }],
      groundVelocity: { x: 45, y, z: 0 },
    })
  const abeam = [fly('460000', 0, 4, heightMetres), fly('460001', 1_300, -4, heightMetres)]
  const lower = lowerMetres === undefined ? [] : [fly('460003', -3_000, 0, lowerMetres)]
  // As the sensor agent reports it.
  const parked = anAircraft('460002', startMs + seconds * 1_000, {
    position: { lat: 60.01, lon: 25, accuracy: 20 },
    altitudes: [{ height: 0, datum: 'agl' }],
    groundVelocity: { x: 0, y: 0 },
    onGround: true,
  })
  return [...abeam, ...lower, parked]
}

function alertsOf(site: Site) {
  const tracker = createTracker()
  const { sensorMetres } = site
  const altitude = sensorMetres === undefined ? {} : { altitude: { height: sensorMetres, datum: 'msl' as const } }
  for (let seconds = 0; seconds < 15; seconds++) {
    const receivedAtMs = startMs + seconds * 1_000 + 300
    const report = { sensor: { id: 'roof', sensorPosition: altitude }, positions: positionsAt(seconds, site) }
    tracker.add(report, receivedAtMs, { deviceId: roof1 })
    tracker.advance(receivedAtMs + 500)
  }
  return tracker.alerts().map(({ conflict }) => conflict?.limits.preset)
}

test('aircraft in the circuit of a field that is as high as the sensor have the limits of terminal areas', () => {
  expect(alertsOf({ heightMetres: 300, sensorMetres: fieldMetres + 20 })).toEqual([])
})

test('aircraft above a field that is as high as the sensor have the limits of cruising', () => {
  expect(alertsOf({ heightMetres: 1_500, sensorMetres: fieldMetres + 20 })).toEqual(['well-clear'])
})

test('the lowest aircraft near a field of unknown height are in its circuit', () => {
  expect(alertsOf({ heightMetres: 300 })).toEqual([])
})

test('aircraft high above the lowest one near a field of unknown height are not in its circuit', () => {
  expect(alertsOf({ heightMetres: 1_500, lowerMetres: 300 })).toEqual(['well-clear'])
})
