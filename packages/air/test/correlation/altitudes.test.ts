import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { toCursorOnTarget } from '../../src/formats/cot-event.ts'
import type { StandardAltitude } from '../../src/standard/standard-position.ts'
import { toAirTrack, toAirTrackPoint } from '../../src/track/to-air-track.ts'
import { aReception, at, type Flight, type GivenReception } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [60, 40] }
const onTheGround: StandardAltitude = { heightMetres: 0, datum: 'agl', provenance: 'given' }

/** A reception of the flight, with these altitudes and vertical rate. */
function aReport(seconds: number, altitudes: StandardAltitude[], given: GivenReception = {}, up?: number) {
  const reception = aReception({ icao: '461F67', ...at(flight, seconds), ...given })
  const { position } = reception
  const groundVelocity = { ...position.groundVelocity, ...(up !== undefined && { upMetresPerSecond: up }) }
  return { ...reception, position: { ...position, altitudes, groundVelocity } }
}

const aboveBar = (heightMetres: number): StandardAltitude => ({ heightMetres, datum: 'bar', provenance: 'given' })

test('the altitude on the ground ends with the take-off, and that in flight with the landing', () => {
  const tracker = createCorrelator()
  for (let seconds = 0; seconds < 3; seconds++) tracker.observe(aReport(seconds, [onTheGround], { onGround: true }))

  tracker.observe(aReport(3, [aboveBar(50)], { onGround: false }))
  expect(tracker.find('t1')?.altitudes).toEqual([aboveBar(50)])

  tracker.observe(aReport(4, [onTheGround], { onGround: true }))
  expect(tracker.find('t1')?.altitudes).toEqual([onTheGround])
})

test('a late report from the ground does not bring its altitude back', () => {
  const tracker = createCorrelator()
  for (let seconds = 0; seconds < 3; seconds++) tracker.observe(aReport(seconds, [onTheGround], { onGround: true }))
  tracker.observe(aReport(5, [aboveBar(50)], { onGround: false }))

  tracker.observe(aReport(4, [onTheGround], { onGround: true, lagSeconds: 2 }))

  expect(tracker.find('t1')?.altitudes).toEqual([aboveBar(50)])
})

test('an altitude that is no longer reported ends half a minute later', () => {
  const tracker = createCorrelator()
  tracker.observe(aReport(0, [onTheGround]))

  for (let seconds = 1; seconds <= 30; seconds++) tracker.observe(aReport(seconds, [aboveBar(seconds * 5)]))
  expect(tracker.find('t1')?.altitudes.map(({ datum }) => datum)).toEqual(['agl', 'bar'])

  tracker.observe(aReport(31, [aboveBar(155)]))
  expect(tracker.find('t1')?.altitudes).toEqual([aboveBar(155)])
})

test('an altitude that is reported every 25 s is shown as it is at the time of the estimate, each above its datum', () => {
  const tracker = createCorrelator()
  const aboveEllipsoid = (heightMetres: number): StandardAltitude => ({
    heightMetres,
    datum: 'wgs84',
    provenance: 'given',
  })

  for (let seconds = 0; seconds <= 24; seconds++) {
    const reported = seconds === 0 ? [aboveBar(1_000), aboveEllipsoid(1_100)] : []
    tracker.observe(aReport(seconds, reported, {}, 10))
  }

  const [bar, wgs84] = tracker.find('t1')?.altitudes ?? []
  expect(bar).toMatchObject({ datum: 'bar', provenance: 'given' })
  expect(bar?.heightMetres).toBeCloseTo(1_240, 0)
  expect(wgs84?.heightMetres).toBeCloseTo(1_340, 0)
})

test('an altitude of a time ago is less certain than when it was reported', () => {
  const tracker = createCorrelator()
  const exact: StandardAltitude = { ...aboveBar(1_000), accuracyMetres: 5 }

  for (let seconds = 0; seconds <= 20; seconds++)
    tracker.observe(aReport(seconds, seconds === 0 ? [exact] : [], {}, 10))

  expect(tracker.find('t1')?.altitudes[0]?.accuracyMetres).toBeGreaterThan(5)
})

test('the climb changes to another datum half a minute after the last altitude, also while rates are reported', () => {
  const tracker = createCorrelator()
  tracker.observe(aReport(0, [onTheGround], {}, 5))

  for (let seconds = 1; seconds <= 40; seconds++) tracker.observe(aReport(seconds, [aboveBar(seconds * 5)], {}, 5))

  expect(tracker.snapshot().targets[0]?.climb?.datum).toBe('bar')
})

test('heights and accuracies at the end of their range do not reach frames and outputs', () => {
  const tracker = createCorrelator()
  const end: StandardAltitude = { heightMetres: 1e308, datum: 'wgs84', provenance: 'given' }
  const unsure: StandardAltitude = { ...end, heightMetres: 300, accuracyMetres: 1e308 }

  tracker.observe(aReport(0, [end]))
  tracker.observe(aReport(1, [end]))
  expect([...tracker.tracks()].map(toAirTrack)[0]?.altitudes).toEqual([])

  tracker.observe(aReport(2, [unsure]))

  const [track] = Array.from(tracker.tracks(), toAirTrack)
  expect(track?.altitudes).toMatchObject([{ height: 300, accuracy: 1_000_000 }])
  expect(tracker.history('t1').map(toAirTrackPoint)).toMatchObject([{}, {}, { altitude: { height: 300 } }])
  expect(JSON.stringify([track, tracker.history('t1').map(toAirTrackPoint)])).not.toContain('null')
  expect(track && toCursorOnTarget(track, { namespace: 'posrep.acme', timeMs: 0 })).toContain('le="510204.1"')
})
