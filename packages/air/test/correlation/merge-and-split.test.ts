import { expect, test } from 'vitest'
import { type Correlator, createCorrelator } from '../../src/correlation/correlator.ts'
import type { Reception } from '../../src/track/track.ts'
import { aReception, at, type Flight, fly, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, 100] }
const beside: Flight = { ...flight, latDegrees: 60.001 }
const radarIdentifier = [{ kind: 'other' as const, id: '~2b0d0d', type: 'ICAO' }]

test('an address in two places makes two tracks that both keep it', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 0, 10)

  const elsewhere = fly(tracker, { sensor: 'b', icao: '461F67' }, { ...flight, latDegrees: 62 }, 5, 10)

  expect(elsewhere).not.toBe(id)
  expect([...tracker.tracks()].map(({ identifiers }) => identifiers[0]?.id)).toEqual(['461F67', '461F67'])
  expect(tracker.associations(elsewhere)[0]).toMatchObject({ reason: 'split', otherTrackId: id })
})

test('two aircraft with one address keep their tracks while both are reported', () => {
  const tracker = createCorrelator()
  const ids = new Set<string | undefined>()

  for (let seconds = 0; seconds < 60; seconds++) {
    ids.add(tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, seconds) })))
    ids.add(tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at({ ...flight, latDegrees: 62 }, seconds) })))
    tick(tracker, seconds)
  }

  expect([...ids]).toEqual(['t1', 't2'])
})

test('one wild position does not move the track', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sourceId: '17', icao: '461F67' }, flight, 0, 10)

  tracker.observe(aReception({ sourceId: '17', icao: '461F67', ...at({ ...flight, latDegrees: 70 }, 11) }))

  expect(tracker.observe(aReception({ sourceId: '17', icao: '461F67', ...at(flight, 12) }))).toBe(id)
  expect(tracker.find(id)?.latDegrees).toBeCloseTo(at(flight, 12).latDegrees, 3)
})

test('two tracks that stay together become one with the older id', () => {
  const tracker = createCorrelator()

  const { younger, older } = startApart(tracker)
  together(tracker, 12, 30)

  expect([...tracker.tracks()].map(({ id }) => id)).toEqual([older])
  expect(tracker.takeChanges().ended).toEqual([{ id: younger, mergedInto: older }])
  expect(tracker.associations(older)[0]).toMatchObject({ reason: 'merged', otherTrackId: younger })
  expect(tracker.find(older)?.identifiers).toEqual([{ kind: 'ICAO', id: '461F67', type: 'ICAO' }])
})

test('after a merge the sources of both tracks continue the older one', () => {
  const tracker = createCorrelator()

  const { older } = startApart(tracker)
  together(tracker, 12, 30)

  expect(tracker.observe(aReception({ sensor: 'b', sourceId: '9', ...at(flight, 31) }))).toBe(older)
  expect(tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, 31) }))).toBe(older)
})

test('a silent target that comes back without an id, then with one, is one track', () => {
  const tracker = createCorrelator()
  const sparse: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [0, 0] }
  const id = fly(tracker, { icao: '461F67' }, sparse, 0, 3)
  const back = { seconds: 43, latDegrees: 60.1 }

  const unknown = tracker.observe(aReception({ sensor: 'b', ...back }))
  expect(unknown).not.toBe(id)

  expect(tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...back }))).toBe(id)
  expect([...tracker.tracks()]).toHaveLength(1)
  expect(tracker.associations(id)[0]?.text).toBe(
    `Track ${unknown} began here when this target had been silent for 40 s, so both are one target.`,
  )
})

test('different addresses never merge', () => {
  const tracker = createCorrelator()

  for (let seconds = 0; seconds < 120; seconds++) {
    tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, seconds) }))
    tracker.observe(aReception({ sensor: 'b', icao: '461F68', ...at(flight, seconds) }))
    tick(tracker, seconds)
  }

  expect([...tracker.tracks()]).toHaveLength(2)
})

test('a radar target that has been beside a transponder of the same sensor since it began merges within five seconds', () => {
  const tracker = createCorrelator()

  for (let seconds = 0; seconds <= 16; seconds++) {
    tracker.observe(aReception({ sourceId: '461f67', icao: '461F67', ...at(flight, seconds) }))
    const echo = at({ ...flight, latDegrees: flight.latDegrees + 0.0009 }, seconds)
    if (seconds >= 10) tracker.observe(aReception({ sourceId: '~2b0d0d', identifiers: radarIdentifier, ...echo }))
    tick(tracker, seconds)
    // What is not decided yet is no conflict.
    const [, double] = [...tracker.tracks()]
    if (seconds >= 12 && double) expect(tracker.find('t1')?.doubles ?? double.doubles).toBeDefined()
  }

  expect([...tracker.tracks()]).toHaveLength(1)
})

test('a radar target that comes from elsewhere merges with a transponder of the same sensor after half a minute', () => {
  const tracker = createCorrelator()

  const count = () => [...tracker.tracks()].length
  const counts = new Map<number, number>()
  for (let seconds = 0; seconds <= 45; seconds++) {
    tracker.observe(aReception({ sourceId: '461f67', icao: '461F67', ...at(flight, seconds) }))
    const aside = at({ ...flight, latDegrees: flight.latDegrees + Math.max(0, 6 - seconds) * 0.0009 }, seconds)
    tracker.observe(aReception({ sourceId: '~2b0d0d', identifiers: radarIdentifier, ...aside }))
    tick(tracker, seconds)
    counts.set(seconds, count())
  }

  expect(counts.get(20)).toBe(2)
  expect(counts.get(45)).toBe(1)
})

test('different radar identifiers may belong to one track', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sensor: 'a', identifiers: radarIdentifier }, flight, 0, 10)

  const other = [{ kind: 'other' as const, id: '~2b0d0e', type: 'ICAO' }]

  expect(tracker.observe(aReception({ sensor: 'b', identifiers: other, ...at(flight, 11) }))).toBe(id)
})

test('a formation of two anonymous targets of one sensor stays two', () => {
  const tracker = createCorrelator()

  for (let seconds = 0; seconds < 120; seconds++) {
    tracker.observe(aReception({ sourceId: '1', ...at(flight, seconds) }))
    tracker.observe(aReception({ sourceId: '2', ...at(beside, seconds) }))
    tick(tracker, seconds)
  }

  expect([...tracker.tracks()].map(({ positions }) => positions)).toEqual([120, 120])
})

test('a formation of two targets without any id stays two', () => {
  const tracker = createCorrelator()

  for (let seconds = 0; seconds < 120; seconds++) {
    tracker.observe(aReception(at(flight, seconds)))
    tracker.observe(aReception(at(beside, seconds)))
    tick(tracker, seconds)
  }

  expect([...tracker.tracks()].map(({ positions }) => positions)).toEqual([120, 120])
})

test('a source whose positions leave the track becomes a track', () => {
  const tracker = createCorrelator()
  for (let seconds = 0; seconds <= 20; seconds++) {
    tracker.observe(aReception({ sensor: 'a', sourceId: '1', icao: '461F67', ...at(flight, seconds) }))
    tracker.observe(aReception({ sensor: 'b', sourceId: '9', ...at(flight, seconds + 0.4) }))
    tick(tracker, seconds)
  }
  expect([...tracker.tracks()]).toHaveLength(1)

  const turned: Flight = { ...at(flight, 20), velocity: [150, 20] }
  let left: string | undefined
  for (let seconds = 21; seconds <= 50; seconds++) {
    tracker.observe(aReception({ sensor: 'a', sourceId: '1', icao: '461F67', ...at(flight, seconds) }))
    const place = { ...at(turned, seconds - 20), seconds: seconds + 0.4 }
    left = tracker.observe(aReception({ sensor: 'b', sourceId: '9', ...place }))
    tick(tracker, seconds)
  }

  expect(left).not.toBe('t1')
  expect(tracker.associations(left ?? '')[0]).toMatchObject({ reason: 'split', otherTrackId: 't1' })
  expect(tracker.find('t1')?.contributions.map(({ deviceUrn }) => deviceUrn)).toEqual(['urn:device:a'])
})

test('a source whose address changes leaves the track', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sourceId: '17', icao: '461F67' }, flight, 0, 5)

  const other = tracker.observe(aReception({ sourceId: '17', icao: '461F68', ...at(flight, 6) }))

  expect(other).not.toBe(id)
  expect(tracker.find(id)?.identifiers.map((identifier) => identifier.id)).toEqual(['461F67'])
})

/** Two sensors start a track each, far apart in their first positions. */
function startApart(tracker: Correlator): { older: string; younger: string } {
  const away: Flight = { ...flight, latDegrees: 60.005 }
  const older = fly(tracker, { sensor: 'b', sourceId: '9' }, away, 0, 5)
  const younger = fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 0, 5)
  return { older, younger }
}

function together(tracker: Correlator, from: number, to: number): void {
  const receptions = (seconds: number): Reception[] => [
    aReception({ sensor: 'b', sourceId: '9', ...at(flight, seconds) }),
    aReception({ sensor: 'a', icao: '461F67', ...at(flight, seconds + 0.5) }),
  ]
  for (let seconds = from; seconds <= to; seconds++) {
    for (const reception of receptions(seconds)) tracker.observe(reception)
    tick(tracker, seconds)
  }
}
