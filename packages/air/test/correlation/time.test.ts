import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, fly, startMs, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, 100] }

test('a late position does not move the track back in time', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 0, 10)
  const before = { ...tracker.find(id) }

  tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, 7.5), lagSeconds: 4 }))

  expect(tracker.find(id)?.timeMs).toBe(before.timeMs)
  expect(tracker.find(id)?.latDegrees).toBeCloseTo(before.latDegrees ?? 0, 4)
})

test('a late position enters the history in the order of time', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 0, 10)
  fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 14, 16)

  tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, 12), lagSeconds: 6 }))

  const seconds = tracker.history(id).map(({ timeMs }) => (timeMs - startMs) / 1_000)
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
  expect(seconds).toContain(12)
})

test('a position that comes two minutes late enters no track', () => {
  const tracker = createCorrelator()

  expect(tracker.observe(aReception({ icao: '461F67', lagSeconds: 121 }))).toBeUndefined()
  expect(tracker.counts().late).toBe(1)
})

test('a position ahead of its receipt counts as received at once', () => {
  const tracker = createCorrelator()

  for (let seconds = 0; seconds <= 10; seconds++) {
    tracker.observe(aReception({ icao: '461F67', lagSeconds: -30, ...at(flight, seconds) }))
  }

  expect(tracker.find('t1')?.timeMs).toBe(startMs - 20_000)
  expect(tracker.find('t1')?.state).toBe('live')
})

test('a sensor whose clock was an hour ahead once is heard again after it was corrected', () => {
  const tracker = createCorrelator()
  tracker.observe(aReception({ icao: '461F67', ...at(flight, 3_600), lagSeconds: -3_600 }))

  for (let seconds = 1; seconds <= 10; seconds++)
    tracker.observe(aReception({ icao: '461F67', ...at(flight, seconds) }))

  expect(tracker.counts().late).toBe(0)
  expect([...tracker.tracks()].map(({ timeMs }) => timeMs)).toContain(startMs + 10_000)
})

test('nothing is learnt of a clock that is far ahead', () => {
  const tracker = createCorrelator()

  for (let seconds = 0; seconds < 60; seconds++) {
    tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, seconds) }))
    const ahead = { ...at(flight, seconds + 0.2), seconds: seconds + 60.5, lagSeconds: -60 }
    tracker.observe(aReception({ sensor: 'b', icao: '461F67', ...ahead }))
    tick(tracker, seconds)
  }

  expect(tracker.snapshot().sensors.map(({ offsetSeconds }) => offsetSeconds)).toEqual([0, 0])
})

test('clocks that are a second apart make one track and are learnt', () => {
  const tracker = createCorrelator()
  const fast: Flight = { ...flight, velocity: [250, 0] }

  for (let seconds = 0; seconds < 120; seconds++) {
    tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(fast, seconds) }))
    // Its clock is 0.9 s behind: the position is that of the true time.
    const late = { ...at(fast, seconds + 0.5), seconds: seconds - 0.4 }
    tracker.observe(aReception({ sensor: 'b', icao: '461F67', ...late, lagSeconds: 1.2 }))
    tick(tracker, seconds)
  }
  for (let seconds = 120; seconds < 130; seconds++) {
    const late = { ...at(fast, seconds + 0.5), seconds: seconds - 0.4 }
    tracker.observe(aReception({ sensor: 'c', ...late, lagSeconds: 1.2 }))
  }

  const offsets = tracker.snapshot().sensors.map(({ offsetSeconds }) => offsetSeconds)
  expect((offsets[0] ?? 0) - (offsets[1] ?? 0)).toBeCloseTo(0.9, 1)
  expect([...tracker.tracks()]).toHaveLength(1)
})

test('the same positions in another order of receipt end at the same place', () => {
  const places = [0, 1].map((turn) => {
    const tracker = createCorrelator()
    fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 0, 10)
    const order = turn === 0 ? [11, 12, 13] : [13, 11, 12]
    for (const seconds of order) {
      const lagSeconds = 14 - seconds
      tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, seconds), lagSeconds }))
    }
    return tracker.find('t1')
  })

  expect(places[1]?.latDegrees).toBeCloseTo(places[0]?.latDegrees ?? 0, 5)
  expect(places[1]?.lonDegrees).toBeCloseTo(places[0]?.lonDegrees ?? 0, 5)
})
