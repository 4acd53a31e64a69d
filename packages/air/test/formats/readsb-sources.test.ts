/** What `aircraft.json` says of the source of a position, and the addresses of targets that have none of ICAO. */
import { createAircraftJsonMapper } from '@posrep/sensor-agent/sources'
import type { AirContribution, AirTrack, PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { toReadsb } from '../../src/formats/readsb.ts'
import { standardise } from '../../src/standard/standardise.ts'
import { toAirTrack } from '../../src/track/to-air-track.ts'
import { aTrack } from '../an-air-track.ts'

const nowMs = Date.parse('2026-01-07T12:00:31Z')
const receivedAt = '2026-01-07T12:00:30.000Z'
const icao = [{ id: '461F9C', type: 'ICAO' }]
const anonymous = [{ id: '2B0D0D', type: 'NonICAO' }]

function aSensor(positionSource?: string, lastSeen = receivedAt): AirContribution {
  const deviceId = `urn:aa:device:acme:${positionSource}`
  return { deviceId, lastSeen, positions: 3, ...(positionSource !== undefined && { positionSource }) }
}

function aTarget(differences: Partial<AirTrack>): AirTrack {
  return aTrack({ time: receivedAt, receivedAt, ...differences })
}

function typeOf(sensors: AirContribution[], identifiers = icao): string | undefined {
  return toReadsb([aTarget({ identifiers, sensors })], { timeMs: nowMs }).aircraft[0]?.type
}

const hexesOf = (tracks: AirTrack[]) => toReadsb(tracks, { timeMs: nowMs }).aircraft.map(({ hex }) => hex)

test.each([
  ['adsb_icao', 'adsb_icao'],
  ['ADS-B', 'adsb_icao'],
  ['adsb_icao_nt', 'adsb_icao_nt'],
  ['adsr_icao', 'adsr_icao'],
  ['tisb', 'tisb_icao'],
  ['adsc', 'adsc'],
  ['mlat', 'mlat'],
  ['Mode S', 'mode_s'],
  ['other', 'other'],
  ['radar', 'other'],
  ['', 'other'],
])('a position whose sensor says "%s" has the type %s', (said, type) => {
  expect(typeOf([aSensor(said)])).toBe(type)
})

test('an ICAO address alone does not say that the position is of ADS-B', () => {
  expect(typeOf([aSensor()])).toBe('other')
})

test.each([
  ['adsb_other', 'adsb_other'],
  ['ADS-B', 'adsb_other'],
  ['adsr_other', 'adsr_other'],
  ['tisb', 'tisb_other'],
  ['tisb_trackfile', 'tisb_trackfile'],
  ['mlat', 'mlat'],
])('without an ICAO address, "%s" is %s', (said, type) => {
  expect(typeOf([aSensor(said)], anonymous)).toBe(type)
})

test('of several sensors the best source of the last half minute is told', () => {
  expect(typeOf([aSensor('radar'), aSensor('mlat'), aSensor('adsb_icao')])).toBe('adsb_icao')
  expect(typeOf([aSensor('mlat'), aSensor('adsb_icao', '2026-01-07T11:59:59.000Z')])).toBe('mlat')
})

test('the address that a sensor gave a target is kept, with its tilde', () => {
  expect(hexesOf([aTarget({ identifiers: anonymous })])).toEqual(['~2b0d0d'])
  expect(hexesOf([aTarget({ identifiers: [{ id: '~2B0D0D', type: 'track' }] })])).toEqual(['~2b0d0d'])
})

test('an address that sensors gave two targets, or that is made of the ID of another, is not kept', () => {
  const tracks = ['t1', 't2'].map((id) => aTarget({ id, identifiers: anonymous }))
  expect(hexesOf(tracks)).toEqual(['~000001', '~000002'])

  const other = aTarget({ id: 't1', identifiers: [] })
  expect(hexesOf([other, aTarget({ id: 't2', identifiers: [{ id: '000001', type: 'NonICAO' }] })])).toEqual([
    '~000001',
    '~000002',
  ])
})

test('a target that hardly moves has a speed, and no track', () => {
  const [aircraft] = toReadsb([aTarget({ groundVelocity: { x: 0.3, y: 0.3 } })], { timeMs: nowMs }).aircraft
  expect(aircraft).toMatchObject({ gs: 0.8 })
  expect(aircraft).not.toHaveProperty('track')
  expect(toReadsb([aTarget({ groundVelocity: { x: 0.4, y: 0.4 } })], { timeMs: nowMs }).aircraft[0]?.track).toBe(45)
})

test('a track says how each sensor obtained its latest position, in at most 32 characters', () => {
  const tracker = createCorrelator()
  const observe = (deviceUrn: string, seconds: number, source: string | undefined) => {
    const timeMs = nowMs + seconds * 1_000
    const given = { id: 'p', target: { ids: icao }, position: { lat: 60, lon: 25, ...(source && { source }) } }
    const [position] = standardise([given as PositionData], [timeMs])
    if (position) tracker.observe({ deviceUrn, receivedAtMs: timeMs + 300, position })
    return Array.from(tracker.tracks(), toAirTrack)[0]?.sensors.map(({ positionSource }) => positionSource)
  }

  expect(observe('a', 0, 'adsb_icao')).toEqual(['adsb_icao'])
  expect(observe('b', 0.5, 'mlat')).toEqual(['mlat', 'adsb_icao'])
  expect(observe('a', 1, 'tisb')).toEqual(['tisb', 'mlat'])
  // Late.
  expect(observe('a', 0.7, 'adsb_icao')).toEqual(['tisb', 'mlat'])
  expect(observe('b', 2, 'x'.repeat(33))).toEqual([undefined, 'tisb'])
  expect(observe('a', 3, 'line\nline')).toEqual([undefined, undefined])
})

test('what a receiver said of its aircraft is said again', () => {
  const read = (type: string, hex: string) => {
    const aircraft = [{ hex, type, lat: 60, lon: 25, seen_pos: 0.1 }]
    const [position] = createAircraftJsonMapper().map({ now: nowMs / 1_000, aircraft }, nowMs)
    const tracker = createCorrelator()
    if (!position) throw new Error('No position')
    const [standard] = standardise([position], [nowMs - 100])
    if (standard) tracker.observe({ deviceUrn: 'urn:aa:device:acme:roof1', receivedAtMs: nowMs, position: standard })
    const [written] = toReadsb(Array.from(tracker.tracks(), toAirTrack), { timeMs: nowMs }).aircraft
    return [written?.hex, written?.type]
  }

  expect(read('adsb_icao', '461f9c')).toEqual(['461f9c', 'adsb_icao'])
  expect(read('tisb_trackfile', '~2b0d0d')).toEqual(['~2b0d0d', 'tisb_trackfile'])
  expect(read('mlat', '461f9c')).toEqual(['461f9c', 'mlat'])
})
