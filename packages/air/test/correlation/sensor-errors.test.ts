import { describe, expect, test } from 'vitest'
import { type Correlator, createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, fly, type GivenReception, tick } from './a-reception.ts'

/** They fly in different directions, so that a wrong clock and a wrong place differ. */
const flights: Flight[] = [
  { latDegrees: 60, lonDegrees: 25, velocity: [200, 0] },
  { latDegrees: 60.1, lonDegrees: 25, velocity: [0, 200] },
  { latDegrees: 60.2, lonDegrees: 25.2, velocity: [-150, 120] },
  { latDegrees: 59.9, lonDegrees: 24.8, velocity: [120, 150] },
]
const toIcao = (number: number) => `46000${number}`
const metresPerDegree = 111_195

interface Other extends GivenReception {
  hasAddresses?: boolean
  northMetres?: number
  aheadSeconds?: number
}

/** An ADS-B receiver, and another sensor that begins `from`. */
function run(
  tracker: Correlator,
  seconds: number,
  { hasAddresses, northMetres = 0, aheadSeconds = 0, ...other }: Other,
) {
  for (let second = 0; second < seconds; second++) {
    for (const [number, flight] of flights.entries()) {
      tracker.observe(aReception({ sensor: 'adsb', icao: toIcao(number), ...at(flight, second) }))
      const place = at(flight, second)
      tracker.observe(
        aReception({
          sensor: 'other',
          sourceId: String(number),
          ...(hasAddresses && { icao: toIcao(number) }),
          ...place,
          latDegrees: place.latDegrees + northMetres / metresPerDegree,
          seconds: second + aheadSeconds,
          lagSeconds: 0.3 - aheadSeconds,
          accuracyMetres: 60,
          ...other,
        }),
      )
    }
    tick(tracker, second)
  }
  return tracker.snapshot().sensors.find(({ deviceUrn }) => deviceUrn.endsWith('other'))
}

test('a receiver whose places are 200 m off shares the tracks of its addresses, and is corrected', () => {
  const tracker = createCorrelator()

  const sensor = run(tracker, 40, { hasAddresses: true, northMetres: 200 })

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

describe.each([-5, -10, -15])('the clock of an anonymous sensor that is off by %i s', (aheadSeconds) => {
  test('is learnt from targets that others identify, and its ghosts become one track with them', () => {
    const tracker = createCorrelator()

    const sensor = run(tracker, 60, { aheadSeconds })

    expect(sensor?.offsetSeconds).toBeCloseTo(aheadSeconds, 0)
    expect([...tracker.tracks()]).toHaveLength(flights.length)
  })
})

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

  run(tracker, 60, { hasAddresses: true })

  expect(tracker.find('t1')?.accuracyMetres).toBeLessThan(40)
})

test('when the clocks of two receivers differ, the stated accuracy of each track has what its time may be off', () => {
  const tracker = createCorrelator()

  run(tracker, 60, { hasAddresses: true, aheadSeconds: -1 })

  // One of the two is right: 1 s is 200 m for this flight.
  expect(2.448 * (tracker.find('t1')?.accuracyMetres ?? 0)).toBeGreaterThan(200)
})

test('when the places of two receivers differ, the stated accuracy of each track has what its place may be off', () => {
  const tracker = createCorrelator()

  run(tracker, 60, { hasAddresses: true, northMetres: 60 })

  expect(2.448 * (tracker.find('t1')?.accuracyMetres ?? 0)).toBeGreaterThan(60)
})

test('receivers that agree do not wander off together, though all their targets slow down to the west', () => {
  const tracker = createCorrelator()
  const lengthSeconds = 60
  let off = 0
  for (let second = 0; second < 1_200; second++) {
    const flight = Math.floor(second / lengthSeconds)
    const since = second % lengthSeconds
    const west = 120 * since - since ** 2 / 2
    const lonDegrees = 25 - west / metresPerDegree / Math.cos((60 * Math.PI) / 180)
    for (const sensor of ['a', 'b'])
      tracker.observe(aReception({ sensor, icao: `4${10_000 + flight}`, seconds: second, lonDegrees }))
    tick(tracker, second)
    off = Math.max(off, ...tracker.snapshot().sensors.map(({ eastMetres }) => Math.abs(eastMetres)))
  }

  expect(off).toBeLessThan(8)
})
