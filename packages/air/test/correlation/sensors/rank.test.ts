import { expect, test } from 'vitest'
import { createCorrelator } from '../../../src/correlation/correlator.ts'
import { aReception, at, type Flight, tick } from '../a-reception.ts'
import { metresPerDegree, toIcao } from './beside-adsb.ts'

test('the time of an identified and more accurate sensor counts, also when an anonymous one was first', () => {
  const tracker = createCorrelator()
  const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [200, 0] }
  for (let second = 0; second < 60; second++) {
    const late = { ...at(flight, second), seconds: second - 0.8, lagSeconds: 1.1 }
    tracker.observe(aReception({ sensor: 'detector', sourceId: '1', accuracyMetres: 100, ...late }))
    if (second >= 20) tracker.observe(aReception({ sensor: 'adsb', icao: toIcao(0), ...at(flight, second) }))
    tick(tracker, second)
  }

  const [track, ...others] = [...tracker.tracks()]
  expect(others).toEqual([])
  const seconds = ((track?.timeMs ?? 0) - at(flight, 0).seconds * 1_000) / 1_000
  const expected = at(flight, seconds - Date.UTC(2026, 0, 7, 12) / 1_000)
  expect(Math.abs((track?.lonDegrees ?? 0) - expected.lonDegrees) * metresPerDegree * 0.5).toBeLessThan(30)
})
