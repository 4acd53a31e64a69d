import type { PositionReport } from '@posrep/spec'
import { expect, test } from 'vitest'
import { toReadsb } from '../../src/formats/readsb.ts'
import { createTracker } from '../../src/tracker/create-tracker.ts'

const startMs = Date.UTC(2026, 0, 7, 12)

/** One aircraft, once a second; `info` is what its receiver adds at that second. */
function aFlight(info: (second: number) => Record<string, unknown> | undefined, lagSeconds = 0.3) {
  const tracker = createTracker()
  for (let second = 0; second < 30; second++) {
    const additionalInfo = info(second)
    const report: PositionReport = {
      positions: [
        {
          id: String(second),
          sourceTimeStamp: new Date(startMs + second * 1_000).toISOString(),
          position: { lat: 60, lon: 25 + second * 0.002, accuracy: 20 },
          target: { ids: [{ id: '461F67', type: 'ICAO' }], ...(additionalInfo && { additionalInfo }) },
        },
      ],
    }
    tracker.add(report, startMs + (second + lagSeconds) * 1_000, { deviceId: 'urn:aa:device:acme:roof1' })
    tracker.advance(startMs + (second + lagSeconds + 0.5) * 1_000)
  }
  return tracker
}

test.each([
  ['7500', 'unlawful'],
  ['7600', 'nordo'],
  ['7700', 'general'],
])('the code %s is an emergency in the track, in aircraft.json and as an alert', (squawk, emergency) => {
  const tracker = aFlight(() => ({ squawk }))

  expect(tracker.tracks()[0]).toMatchObject({ squawk, emergency })
  const { aircraft } = toReadsb(tracker.tracks(), { timeMs: tracker.timeMs() })
  expect(aircraft[0]).toMatchObject({ squawk, emergency })
  expect(tracker.alerts()).toMatchObject([{ kind: 'emergency', state: 'active', emergency: { emergency, squawk } }])
})

test('another code ends the emergency', () => {
  const tracker = aFlight((second) => ({ squawk: second < 10 ? '7700' : '1200' }))

  expect(tracker.tracks()[0]).toMatchObject({ squawk: '1200' })
  expect(tracker.tracks()[0]).not.toHaveProperty('emergency')
  expect(tracker.alerts()).toMatchObject([{ kind: 'emergency', state: 'ended' }])
})

test('what is no code and no state of an emergency is left out', () => {
  const track = aFlight(() => ({ squawk: '7790', emergency: 'lunch' })).tracks()[0]

  expect(track).not.toHaveProperty('squawk')
  expect(track).not.toHaveProperty('emergency')
})

test('a sensor all of whose positions come two minutes late by its clock has a wrong clock', () => {
  const alerts = aFlight(() => undefined, 150).alerts()

  expect(alerts).toMatchObject([{ kind: 'sensorClock', sensorClock: { offsetSeconds: -150 } }])
  expect(alerts[0]?.text).toBe('The clock of the sensor roof1 is about 150 s behind')
})

test('the time of frames goes on while nothing changes', () => {
  const tracker = aFlight(() => undefined)
  tracker.takeChanges()
  const lastMs = tracker.timeMs()

  tracker.advance(lastMs + 120_000)
  tracker.takeChanges()
  tracker.advance(lastMs + 126_000)

  expect(Date.parse(tracker.takeChanges()?.time ?? '')).toBe(lastMs + 126_000)
})
