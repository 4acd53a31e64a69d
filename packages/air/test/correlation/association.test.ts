import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, fly, type GivenReception, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, 100] }

test('positions with one ICAO address make one track', () => {
  const tracker = createCorrelator()

  const first = tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, 0) }))
  const second = tracker.observe(aReception({ sensor: 'b', icao: '461F67', ...at(flight, 1) }))

  expect(second).toBe(first)
  expect([...tracker.tracks()]).toHaveLength(1)
})

test.each(['SerialNumber', 'IMEI', 'Registration'] as const)('positions with one %s make one track', (kind) => {
  const tracker = createCorrelator()
  const identifiers = [{ kind, id: '1234' }]

  const first = tracker.observe(aReception({ sensor: 'a', identifiers, ...at(flight, 0) }))

  expect(tracker.observe(aReception({ sensor: 'b', identifiers, ...at(flight, 1) }))).toBe(first)
})

test('a sensor that keeps its own id for a target keeps its track', () => {
  const tracker = createCorrelator()

  const first = tracker.observe(aReception({ sourceId: '17', icao: '461F67', ...at(flight, 0) }))

  expect(tracker.observe(aReception({ sourceId: '17', ...at(flight, 1) }))).toBe(first)
})

test('a position without ids joins the track whose prediction it fits', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sensor: 'a', icao: '461F67', heightMetres: 3_000 }, flight, 0, 10)

  const joined = tracker.observe(aReception({ sensor: 'b', heightMetres: 3_010, ...at(flight, 11) }))

  expect(joined).toBe(id)
  expect(tracker.associations(id)[0]).toMatchObject({ reason: 'gate', deviceUrn: 'urn:device:b' })
})

test.each<[string, GivenReception]>([
  ['far from the prediction', { latDegrees: 60.03 }],
  ['at another altitude', { heightMetres: 3_400 }],
  ['with another velocity', { velocity: [-150, -100] }],
])('a position %s begins a track', (_, given) => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sensor: 'a', icao: '461F67', heightMetres: 3_000 }, flight, 0, 10)

  expect(tracker.observe(aReception({ sensor: 'b', heightMetres: 3_000, ...at(flight, 11), ...given }))).not.toBe(id)
})

test('altitudes of different datums are not compared', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sensor: 'a', icao: '461F67', heightMetres: 3_000 }, flight, 0, 10)
  const reception = aReception({ sensor: 'b', heightMetres: 2_300, ...at(flight, 11) })
  for (const altitude of reception.position.altitudes) altitude.datum = 'wgs84'

  expect(tracker.observe(reception)).toBe(id)
})

test('different ICAO addresses at one place are two tracks', () => {
  const tracker = createCorrelator()

  const first = fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 0, 60)
  const second = fly(tracker, { sensor: 'b', icao: '461F68' }, flight, 0.5, 60)
  tick(tracker, 60)

  expect(second).not.toBe(first)
  expect([...tracker.tracks()]).toHaveLength(2)
})

test('a call sign does not join a position that contradicts the track', () => {
  const tracker = createCorrelator()
  const identifiers = [{ kind: 'CallSign' as const, id: 'FIN1AB' }]
  const id = fly(tracker, { sensor: 'a', identifiers }, flight, 0, 10)

  expect(
    tracker.observe(aReception({ sensor: 'b', identifiers, ...at({ ...flight, latDegrees: 60.5 }, 11) })),
  ).not.toBe(id)
})

test('a call sign confirms a position that is a little outside of the gate', () => {
  const identifiers = [{ kind: 'CallSign' as const, id: 'FIN1AB' }]
  const aside = { ...flight, velocity: [150, 117] as const }
  const join = (given: GivenReception) => {
    const tracker = createCorrelator()
    const id = fly(tracker, { sensor: 'a', identifiers }, flight, 0, 20)
    return tracker.observe(aReception({ sensor: 'b', ...at(flight, 21), velocity: aside.velocity, ...given })) === id
  }

  expect(join({})).toBe(false)
  expect(join({ identifiers })).toBe(true)
})

test('the sentence of an association says what decided', () => {
  const tracker = createCorrelator()

  const id = tracker.observe(aReception({ sensor: 'a', icao: '461F67', ...at(flight, 0) })) ?? ''
  tracker.observe(aReception({ sensor: 'b', icao: '461F67', ...at(flight, 1) }))

  expect(tracker.associations(id).map(({ text }) => text)).toEqual([
    'The position has the ICAO address 461F67, as track t1 has.',
    'No track is near, so a new track begins.',
  ])
})

test('a decision that only confirms an earlier one is not repeated', () => {
  const tracker = createCorrelator()

  const id = fly(tracker, { sourceId: '17', icao: '461F67' }, flight, 0, 30)

  expect(tracker.associations(id)).toHaveLength(1)
})

test('an identifier that a source sends later is an association', () => {
  const tracker = createCorrelator()
  const id = fly(tracker, { sourceId: '17' }, flight, 0, 5)

  tracker.observe(aReception({ sourceId: '17', icao: '461F67', ...at(flight, 6) }))

  expect(tracker.associations(id)[0]).toMatchObject({ reason: 'source', identifier: { kind: 'ICAO', id: '461F67' } })
  expect(tracker.find(id)?.identifiers).toEqual([{ kind: 'ICAO', id: '461F67', type: 'ICAO' }])
})

test('a source that a track lost to another one stays with that one when the track forgets its oldest source', () => {
  const tracker = createCorrelator()
  const elsewhere = { ...flight, latDegrees: 50 }
  fly(tracker, { sensor: 's', sourceId: '1', icao: 'AAAAAA' }, flight, 0, 5)
  const other = fly(tracker, { sensor: 't', icao: 'BBBBBB' }, elsewhere, 0, 5)
  tracker.observe(aReception({ sensor: 's', sourceId: '1', icao: 'BBBBBB', ...at(elsewhere, 6) }))

  for (let number = 0; number < 16; number++) {
    tracker.observe(aReception({ sensor: `${number}`, icao: 'AAAAAA', ...at(flight, 7) }))
  }

  const { sensors, targets } = tracker.snapshot()
  expect(targets[0]?.track.contributions.map(({ deviceUrn }) => deviceUrn)).not.toContain('urn:device:s')
  expect(sensors[0]?.sources).toEqual([['1', targets.find(({ track }) => track.id === other)?.number]])
})

test('a position without ids between two aircraft on the ground joins the one that it fits clearly better, or none', () => {
  const metresPerDegree = 111_195
  const trackOf = (northMetres: number) => {
    const tracker = createCorrelator()
    const stand = (icao: string, latDegrees: number) =>
      fly(tracker, { icao, onGround: true }, { latDegrees, lonDegrees: 25, velocity: [0, 0] }, 0, 10)
    const first = stand('461F67', 60)
    stand('461F68', 60 + 60 / metresPerDegree)
    const latDegrees = 60 + northMetres / metresPerDegree
    const plot = { seconds: 11, latDegrees, accuracyMetres: 40, onGround: true }
    const id = tracker.observe(aReception({ sensor: 'other', ...plot }))
    return { isFirst: id === first, ambiguous: tracker.counts().ambiguous }
  }

  expect(trackOf(5)).toEqual({ isFirst: true, ambiguous: 0 })
  expect(trackOf(15)).toEqual({ isFirst: false, ambiguous: 1 })
})
