/** What a sensor says once completes the altitudes of its later reports. */
import type { PositionReport } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createTracker } from '../../src/tracker/create-tracker.ts'
import type { TrackerOptions } from '../../src/tracker/tracker.ts'
import { anAircraft, roof1, roof2 } from './a-flight.ts'

const startMs = Date.UTC(2026, 0, 7, 12, 0, 0)
const place = { lat: 60.3, lon: 24.9 }

function aPictureOf(given: TrackerOptions = {}) {
  const picture = createTracker(given)
  return {
    ...picture,
    /** Its target has a barometric altitude only. */
    take(minutes: number, sensor: Partial<PositionReport['sensor']> = {}, deviceUrn = roof1) {
      const atMs = startMs + minutes * 60_000
      const positions = [anAircraft('461F9C', atMs, { altitudes: [{ height: 1_000, datum: 'bar' }] })]
      picture.add({ sensor: { id: 'roof1', ...sensor }, positions }, atMs, { deviceId: deviceUrn })
    },
    msl: () => {
      const altitudes = picture.whole().tracks.at(-1)?.altitudes ?? []
      return altitudes.find(({ datum }) => datum === 'msl')
    },
  }
}

const lowPressure = { pressure: 993.25 }
const onHill = { sensorPosition: { geographicPosition: place, altitude: { height: 50, datum: 'msl' as const } } }

test('pressure and altitude that a sensor sent once convert the altitudes of its later reports, and say their age', () => {
  const picture = aPictureOf()
  picture.take(0, { ...lowPressure, ...onHill })
  const first = picture.msl()

  picture.take(20)

  const later = picture.msl()
  expect(first).toMatchObject({ provenance: 'derived', from: 'bar, sensor pressure 993.3 hPa at 50 m' })
  expect(later).toMatchObject({ from: 'bar, sensor pressure 993.3 hPa 20 min ago at 50 m' })
  expect(later?.height).toBe(first?.height)
})

test('a pressure of more than three hours ago is not used', () => {
  const picture = aPictureOf()
  picture.take(0, { ...lowPressure, ...onHill })

  for (let minutes = 5; minutes <= 180; minutes += 5) picture.take(minutes)
  expect(picture.msl()?.from).toContain('180 min ago')
  picture.take(200)

  expect(picture.msl()).toBeUndefined()
})

test('the altitude of a sensor counts for the place where it was measured', () => {
  const picture = aPictureOf()
  picture.take(0, { ...lowPressure, ...onHill })

  picture.take(1, { ...lowPressure, sensorPosition: { geographicPosition: place } })
  expect(picture.msl()?.from).toContain('at 50 m')
  picture.take(2, { ...lowPressure, sensorPosition: { geographicPosition: { lat: 61, lon: 24 } } })

  expect(picture.msl()?.from).toContain('height of the sensor unknown')
})

test('what one sensor says of itself does not convert the altitudes of another', () => {
  const picture = aPictureOf()

  picture.take(0, { ...lowPressure, ...onHill }, roof1)
  picture.take(10, {}, roof2)

  expect(picture.msl()).toBeUndefined()
})

test('the state of a sensor is in the snapshot', () => {
  const first = aPictureOf()
  first.take(0, { ...lowPressure, ...onHill })
  const second = createTracker({ snapshot: JSON.parse(JSON.stringify(first.snapshot())) })

  expect(second.snapshot().sensors[0]?.state).toEqual({
    position: place,
    altitude: { height: 50, datum: 'msl' },
    pressure: { hpa: 993.25, receivedAtMs: startMs },
  })
})

test('members of a sensor that nobody reads are not kept', () => {
  const picture = aPictureOf()
  const geographicPosition = { ...place, source: 'x'.repeat(100_000) }

  picture.take(0, { sensorPosition: { geographicPosition } })

  expect(JSON.stringify(picture.snapshot().sensors).length).toBeLessThan(1_000)
})
