import { expect, test } from 'vitest'
import { type Correlator, createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, tick } from './a-reception.ts'

const named: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [80, 30] }
/** 100 m to the north. */
const wing: Flight = { ...named, latDegrees: 60 + 100 / 111_195 }
/** Between the two, where the first position of the detector may be of either. */
const between: Flight = { ...named, latDegrees: 60 + 40 / 111_195 }

/** A receiver names one aircraft of a formation; a detector without identifiers has an id for each. */
function watch(tracker: Correlator, from: number, to: number): void {
  for (let second = from; second < to; second++) {
    tracker.observe(aReception({ sensor: 'adsb', icao: '461F67', ...at(named, second) }))
    tracker.observe(aReception({ sensor: 'detector', sourceId: '1', ...at(named, second) }))
    tracker.observe(aReception({ sensor: 'detector', sourceId: '2', ...at(wing, second) }))
    tick(tracker, second)
  }
}

function begin(): Correlator {
  const tracker = createCorrelator()
  tracker.observe(aReception({ sensor: 'adsb', icao: '461F67', ...at(named, 0) }))
  tracker.observe(aReception({ sensor: 'detector', sourceId: '2', accuracyMetres: 100, ...at(between, 0) }))
  tracker.observe(aReception({ sensor: 'detector', sourceId: '1', ...at(named, 0) }))
  return tracker
}

/** The detector's ids per track, the named one first. */
function sourcesOf(tracker: Correlator) {
  return [...tracker.tracks()].map(({ contributions }) =>
    contributions.filter(({ deviceUrn }) => deviceUrn.endsWith('detector')).map(({ sourceId }) => sourceId),
  )
}

test('a target of a detector that is on the wrong aircraft of a formation gives way to the rival within seconds', () => {
  const tracker = begin()
  expect(sourcesOf(tracker)).toEqual([['2'], ['1']])

  watch(tracker, 1, 15)

  expect(sourcesOf(tracker)).toEqual([['1'], ['2']])
  const [own, other] = tracker.tracks()
  expect(own?.identifiers.map(({ id }) => id)).toEqual(['461F67'])
  expect(other?.identifiers).toEqual([])
  expect(Math.abs((other?.latDegrees ?? 0) - at(wing, 14).latDegrees) * 111_195).toBeLessThan(30)
})

test('the tracks say that two targets of a detector have changed places', () => {
  const tracker = begin()

  watch(tracker, 1, 15)

  expect(tracker.associations('t1')[0]).toMatchObject({ reason: 'gate', sourceId: '1', otherTrackId: 't2' })
  expect(tracker.associations('t1')[0]?.text).toContain('the two have changed places')
  expect(tracker.associations('t2')[0]).toMatchObject({ reason: 'gate', sourceId: '2', otherTrackId: 't1' })
})

test('targets of a detector that are in their places stay there', () => {
  const tracker = createCorrelator()

  watch(tracker, 0, 120)

  expect(sourcesOf(tracker)).toEqual([['1'], ['2']])
  expect(
    tracker
      .associations('t1')
      .map(({ text }) => text)
      .join(),
  ).not.toContain('changed places')
})
