import { describe, expect, test } from 'vitest'
import { type Correlator, createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [200, 0] }
const aircraft = [0, 1, 2, 3, 4].map((number) => ({
  icao: `46000${number}`,
  along: { ...flight, latDegrees: 60 + number * 0.1 },
}))

/** Positions are those of the true time; `ahead` is by how much the sensor's clock is wrong then. */
function observe(tracker: Correlator, sensor: string, seconds: number, ahead: (icao: string) => number): void {
  for (const { icao, along } of aircraft) {
    const wrong = ahead(icao)
    const place = { ...at(along, seconds), seconds: seconds + wrong, lagSeconds: 0.2 - wrong }
    tracker.observe(aReception({ sensor, icao, ...place }))
  }
}

const right = () => 0
const offsetsOf = (tracker: Correlator) => tracker.snapshot().sensors.map(({ offsetSeconds }) => offsetSeconds)
const idsOf = (tracker: Correlator) => [...tracker.tracks()].map(({ identifiers }) => identifiers[0]?.id)
const each = aircraft.map(({ icao }) => icao)

describe.each([1, 4.9, -1, -4.9])('one position whose time is %f s ahead', (wrong) => {
  const once = (seconds: number) => (icao: string) => (seconds === 30 && icao === '460000' ? wrong : 0)

  test('neither splits the tracks of its only sensor nor is learnt', () => {
    const tracker = createCorrelator()

    for (let seconds = 0; seconds <= 90; seconds++) {
      observe(tracker, 'a', seconds, once(seconds))
      tick(tracker, seconds)
    }

    expect(idsOf(tracker)).toEqual(each)
    expect(offsetsOf(tracker)).toEqual([0])
    expect(tracker.find('t1')?.lonDegrees).toBeCloseTo(at(flight, 90).lonDegrees, 3)
  })

  test.each(['a', 'b'])('does not split the tracks of two sensors, of which %s sends it', (wrongSensor) => {
    const tracker = createCorrelator()

    for (let seconds = 0; seconds <= 90; seconds++) {
      for (const sensor of ['a', 'b']) observe(tracker, sensor, seconds, sensor === wrongSensor ? once(seconds) : right)
      tick(tracker, seconds)
    }

    expect(idsOf(tracker)).toEqual(each)
    for (const offset of offsetsOf(tracker)) expect(Math.abs(offset)).toBeLessThan(0.1)
  })
})

describe.each([
  ['the first', 'a'],
  ['the second', 'b'],
])('the clock of %s sensor of two that is wrong for half a minute', (_, wrongSensor) => {
  test.each([1.5, 4.5, -1.5, -4.5])('by %f s leaves one track per aircraft within a minute', (wrong) => {
    const tracker = createCorrelator()

    for (let seconds = 0; seconds <= 120; seconds++) {
      const isWrong = seconds >= 30 && seconds < 60
      for (const sensor of ['a', 'b'])
        observe(tracker, sensor, seconds, () => (isWrong && sensor === wrongSensor ? wrong : 0))
      tick(tracker, seconds)
    }

    expect(idsOf(tracker)).toEqual(each)
    expect(tracker.find('t1')?.lonDegrees).toBeCloseTo(at(flight, 120).lonDegrees, 2)
  })
})

test('a clock that stays ahead is learnt, and forgotten two minutes after it is right', () => {
  const tracker = createCorrelator()

  for (let seconds = 0; seconds < 20; seconds++) observe(tracker, 'a', seconds, () => 2)
  expect(offsetsOf(tracker)[0]).toBeCloseTo(1.8, 1)
  for (let seconds = 20; seconds <= 140; seconds++) observe(tracker, 'a', seconds, right)

  expect(offsetsOf(tracker)[0]).toBeCloseTo(0, 1)
})

test('tracks of one address that only a clock keeps apart become one', () => {
  const tracker = createCorrelator()
  const [{ icao, along } = { icao: '', along: flight }] = aircraft
  const beside: Flight = { ...along, latDegrees: along.latDegrees + 0.05 }
  for (let seconds = 0; seconds <= 120; seconds++) {
    tracker.observe(aReception({ sensor: 'a', icao, ...at(along, seconds) }))
    const isAway = seconds >= 10 && seconds < 20
    // Its clock is 3 s behind when it comes back.
    const place = isAway ? at(beside, seconds) : { ...at(along, seconds), seconds: seconds - (seconds < 10 ? 0 : 3) }
    tracker.observe(aReception({ sensor: 'b', icao, ...place, lagSeconds: 3.2 }))
    tick(tracker, seconds)
    if (seconds === 19) expect([...tracker.tracks()]).toHaveLength(2)
  }

  expect([...tracker.tracks()]).toHaveLength(1)
})
