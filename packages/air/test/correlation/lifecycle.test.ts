import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, fly, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, 100] }
const parked: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [0, 0] }

test('a track is live from its third position', () => {
  const tracker = createCorrelator()
  const states = [0, 1, 2].map((seconds) => {
    const id = tracker.observe(aReception({ icao: '461F67', ...at(flight, seconds) }))
    return tracker.find(id ?? '')?.state
  })

  expect(states).toEqual(['tentative', 'tentative', 'live'])
})

test('a repeated position does not make a track live', () => {
  const tracker = createCorrelator()
  for (let turn = 0; turn < 5; turn++) tracker.observe(aReception({ icao: '461F67' }))

  expect(tracker.find('t1')?.state).toBe('tentative')
})

test('a single position ends after half a minute', () => {
  const tracker = createCorrelator()
  tracker.observe(aReception({ icao: '461F67' }))

  tick(tracker, 28)
  expect([...tracker.tracks()]).toHaveLength(1)
  tick(tracker, 31)
  expect([...tracker.tracks()]).toEqual([])
  expect(tracker.takeChanges()).toMatchObject({ changed: [], ended: [{ id: 't1' }] })
})

test('a track without positions coasts, and is live again with the next one', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { icao: '461F67' }, flight, 0, 10)

  tick(tracker, 23)
  expect(tracker.find(id)?.state).toBe('coasting')

  expect(tracker.observe(aReception({ icao: '461F67', ...at(flight, 25) }))).toBe(id)
  expect(tracker.find(id)?.state).toBe('live')
})

test('a coasting track ends after a minute', () => {
  const tracker = createCorrelator()
  fly(tracker, { icao: '461F67' }, flight, 0, 10)

  tick(tracker, 68)
  expect([...tracker.tracks()]).toHaveLength(1)
  tick(tracker, 71)
  expect([...tracker.tracks()]).toEqual([])
})

test('a track on the ground lasts five minutes', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { icao: '461F67', onGround: true }, parked, 0, 10)

  tick(tracker, 300)
  expect(tracker.find(id)).toMatchObject({ state: 'coasting', onGround: true })
  tick(tracker, 312)
  expect([...tracker.tracks()]).toEqual([])
})

test('a sensor that reports every 20 seconds has a live track', () => {
  const tracker = createCorrelator()
  for (let seconds = 0; seconds <= 200; seconds++) {
    if (seconds % 20 === 0) tracker.observe(aReception({ icao: '461F67', ...at(flight, seconds) }))
    tick(tracker, seconds)
  }

  expect(tracker.find('t1')).toMatchObject({ state: 'live', positions: 11 })
})

test('changes are those since the last call', () => {
  const tracker = createCorrelator()
  tracker.observe(aReception({ icao: '461F67' }))
  expect(tracker.takeChanges()).toMatchObject({ changed: [{ id: 't1' }], associations: [{ reason: 'started' }] })

  expect(tracker.takeChanges()).toEqual({ changed: [], ended: [], associations: [] })
})

test('a sensor that the account no longer has leaves the tracks of others, and tracks of its own end', () => {
  const tracker = createCorrelator()
  const shared = fly(tracker, { icao: '461F67' }, flight, 0, 10)
  tracker.observe(aReception({ sensor: 'b', icao: '461F67', ...at(flight, 10.5) }))
  const own = fly(tracker, { sensor: 'b', sourceId: '7' }, parked, 11, 20)
  tracker.takeChanges()

  tracker.forgetSensor('urn:device:b')

  expect(tracker.find(shared)?.contributions.map(({ deviceUrn }) => deviceUrn)).toEqual(['urn:device:a'])
  expect(tracker.find(own)).toBeUndefined()
  expect(tracker.takeChanges()).toMatchObject({ changed: [{ id: shared }], ended: [{ id: own }] })
  expect(tracker.snapshot().sensors.map(({ deviceUrn }) => deviceUrn)).toEqual(['urn:device:a'])
})

test('a sensor that the account no longer has is not kept for its clock: the track takes that of another one', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { icao: '461F67' }, flight, 0, 10)
  tracker.observe(aReception({ sensor: 'b', icao: '461F67', ...at(flight, 10.5) }))
  const accuracyMetres = tracker.find(id)?.accuracyMetres ?? 0

  tracker.forgetSensor('urn:device:a')
  tracker.observe(aReception({ sensor: 'b', icao: '461F67', ...at(flight, 11.5) }))

  expect(tracker.snapshot().sensors.map(({ deviceUrn }) => deviceUrn)).toEqual(['urn:device:b'])
  expect(tracker.find(id)?.accuracyMetres).toBeGreaterThan(accuracyMetres)
})
