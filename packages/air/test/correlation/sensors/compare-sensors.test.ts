import { expect, test } from 'vitest'
import { createCorrelator } from '../../../src/correlation/correlator.ts'
import { aReception, at, type Flight, tick } from '../a-reception.ts'
import { flights, metresPerDegree, runBesideAdsb, toIcao } from './beside-adsb.ts'

test('a receiver whose places are 200 m off shares the tracks of its addresses, and is corrected', () => {
  const tracker = createCorrelator()

  const sensor = runBesideAdsb(tracker, 40, { hasAddresses: true, northMetres: 200 })

  expect([...tracker.tracks()]).toHaveLength(flights.length)
  expect(Math.abs((sensor?.northMetres ?? 0) - 200)).toBeLessThan(30)
  expect(Math.abs(sensor?.eastMetres ?? 0)).toBeLessThan(30)
  const { latDegrees = 0 } = tracker.find('t1') ?? {}
  expect(Math.abs(latDegrees - 60) * metresPerDegree).toBeLessThan(30)
})

test('a sensor that is off by its place for one target only is not corrected', () => {
  const tracker = createCorrelator()
  const clone: Flight = { latDegrees: 60.005, lonDegrees: 25, velocity: [200, 0] }
  for (let second = 0; second < 40; second++) {
    for (const sensor of ['a', 'b']) {
      for (const [number, flight] of flights.entries()) {
        const along = number === 0 && sensor === 'b' ? clone : flight
        tracker.observe(aReception({ sensor, icao: toIcao(number), ...at(along, second) }))
      }
    }
    tick(tracker, second)
  }

  const off = tracker.snapshot().sensors.map(({ northMetres }) => Math.abs(northMetres))
  expect(Math.max(...off)).toBeLessThan(60)
  expect([...tracker.tracks()]).toHaveLength(flights.length + 1)
})
