/** A position, a height and a velocity may have been measured before the report was sent. */
import { describe, expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, startMs, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [200, 0] }
const icao = '461F67'
/** Sent at `seconds`, with the place of `ageSeconds` before. */
const aged = (seconds: number, ageSeconds: number) => ({ ...at(flight, seconds - ageSeconds), seconds, ageSeconds })

describe('a position', () => {
  test('belongs to the time at which it was measured', () => {
    const tracker = createCorrelator()

    const id = tracker.observe(aReception({ icao, ...aged(10, 4) })) ?? ''

    expect(tracker.find(id)?.timeMs).toBe(startMs + 6_000)
    expect(tracker.history(id)[0]?.timeMs).toBe(startMs + 6_000)
  })

  test.each([1, 2, 3, 5])('of %i s ago, by another sensor, is in the same track, and is no error of a clock', (age) => {
    const tracker = createCorrelator()

    for (let seconds = 0; seconds < 60; seconds++) {
      tracker.observe(aReception({ sensor: 'a', icao, ...at(flight, seconds) }))
      tracker.observe(aReception({ sensor: 'b', icao, ...aged(seconds, age) }))
      tick(tracker, seconds)
    }

    expect([...tracker.tracks()]).toHaveLength(1)
    expect(tracker.find('t1')?.positions).toBe(120)
    for (const { offsetSeconds } of tracker.snapshot().sensors) expect(Math.abs(offsetSeconds)).toBeLessThan(0.05)
  })

  test('of a sensor with changing ages does not pull the track back', () => {
    const tracker = createCorrelator()

    for (let seconds = 0; seconds < 60; seconds++) {
      tracker.observe(aReception({ icao, ...aged(seconds, seconds % 2 === 0 ? 0 : 3) }))
      const track = tracker.find('t1')
      const seen = ((track?.timeMs ?? 0) - startMs) / 1_000
      expect(track?.lonDegrees).toBeCloseTo(at(flight, seen).lonDegrees, 4)
    }
  })

  test('of two minutes ago enters no track', () => {
    const tracker = createCorrelator()

    expect(tracker.observe(aReception({ icao, ageSeconds: 121 }))).toBeUndefined()
    expect(tracker.observe(aReception({ icao, ageSeconds: 1e300 }))).toBeUndefined()
    expect(tracker.counts().late).toBe(2)
  })
})

describe('a height', () => {
  const climb = { upMetresPerSecond: 15, velocity: flight.velocity }

  test('belongs to the time at which it was measured', () => {
    const tracker = createCorrelator()
    for (let seconds = 0; seconds <= 30; seconds++) {
      const heightMetres = 1_000 + 15 * (seconds - 8)
      tracker.observe(aReception({ icao, ...at(flight, seconds), ...climb, heightMetres, heightAgeSeconds: 8 }))
    }

    const [target] = tracker.snapshot().targets
    expect(target?.altitudeTimesMs).toEqual([startMs + 22_000])
    expect(target?.climb?.timeMs).toBe(startMs + 22_000)
    expect(target?.climb?.heightMetres).toBeCloseTo(1_000 + 15 * 22, 0)
  })

  test('of 20 s ago keeps a climbing target in the track of another sensor', () => {
    const tracker = createCorrelator()

    for (let seconds = 0; seconds < 30; seconds++) {
      const place = { ...at(flight, seconds), ...climb }
      tracker.observe(aReception({ sensor: 'a', icao, ...place, heightMetres: 1_000 + 15 * seconds }))
      tick(tracker, seconds)
    }
    const heightMetres = 1_000 + 15 * 10
    const joined = tracker.observe(
      aReception({ sensor: 'b', ...at(flight, 30), heightMetres, heightAgeSeconds: 20, velocity: flight.velocity }),
    )

    expect(joined).toBe('t1')
    expect(tracker.associations('t1')[0]?.verticalMetres).toBeLessThan(20)
  })

  test('of a minute ago is left out', () => {
    const tracker = createCorrelator()

    const id = tracker.observe(aReception({ icao, heightMetres: 1_000, heightAgeSeconds: 60 })) ?? ''

    expect(tracker.find(id)?.altitudes).toEqual([])
  })
})

test('a velocity of 10 s ago is less certain than one of now', () => {
  const [now, before] = [0, 10].map((velocityAgeSeconds) => {
    const tracker = createCorrelator()
    const id = tracker.observe(aReception({ icao, ...at(flight, 0), velocityAgeSeconds })) ?? ''
    return tracker.find(id)?.velocity?.accuracyMetresPerSecond ?? 0
  })

  expect(now).toBeCloseTo(3, 0)
  expect(before).toBeGreaterThan(9)
})
