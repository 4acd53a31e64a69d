import { expect, test } from 'vitest'
import { createCorrelator } from '../../../src/correlation/correlator.ts'
import { aReception, at, type Flight, fly, type GivenReception } from '../a-reception.ts'
import { runBesideAdsb } from './beside-adsb.ts'

test('the stated accuracy has what the clock of a sensor without identifiers may be off, and not of one with them', () => {
  const fast: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [200, 0] }
  const accuracyOf = (given: GivenReception) => {
    const tracker = createCorrelator()
    const id = fly(tracker, { accuracyMetres: 20, ...given }, fast, 0, 10)
    return tracker.find(id)?.accuracyMetres ?? Number.NaN
  }

  expect(accuracyOf({ icao: '461F67' })).toBeLessThan(10)
  // 0.6 s at 200 m/s, on a line: 1.96 of it are 2.448 of what is stated.
  expect(accuracyOf({ sourceId: '17' })).toBeGreaterThan((120 * 1.96) / 2.448)
})

test('of two receivers that could not be compared, any one may be off', () => {
  const accuracyOf = (sensors: readonly string[]) => {
    const tracker = createCorrelator()
    let id: string | undefined
    for (let second = 0; second < 60; second += 20) {
      for (const [number, sensor] of sensors.entries()) {
        const place = at({ latDegrees: 60, lonDegrees: 25, velocity: [200, 0] }, second + 10 * number)
        id = tracker.observe(aReception({ ...place, sensor, icao: '461F67' }))
      }
    }
    return tracker.find(id ?? '')?.accuracyMetres ?? Number.NaN
  }

  expect(accuracyOf(['one'])).toBeLessThan(60)
  expect(accuracyOf(['one', 'two'])).toBeGreaterThan(90)
})

test('two receivers that agree are hardly less sure than one', () => {
  const tracker = createCorrelator()

  runBesideAdsb(tracker, 60, { hasAddresses: true })

  expect(tracker.find('t1')?.accuracyMetres).toBeLessThan(40)
})

test('when the clocks of two receivers differ, the stated accuracy of each track has what its time may be off', () => {
  const tracker = createCorrelator()

  runBesideAdsb(tracker, 60, { hasAddresses: true, aheadSeconds: -1 })

  // One of the two is right: 1 s is 200 m for this flight.
  expect(2.448 * (tracker.find('t1')?.accuracyMetres ?? 0)).toBeGreaterThan(200)
})

test('when the places of two receivers differ, the stated accuracy of each track has what its place may be off', () => {
  const tracker = createCorrelator()

  runBesideAdsb(tracker, 60, { hasAddresses: true, northMetres: 60 })

  expect(2.448 * (tracker.find('t1')?.accuracyMetres ?? 0)).toBeGreaterThan(60)
})
