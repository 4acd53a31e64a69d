import { createAircraftJsonMapper } from '@posrep/sensor-agent/sources'
import type { AirTrack } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { toFeature } from '../../src/air/formats/geo-json.ts'
import { toReadsb } from '../../src/air/formats/readsb.ts'
import { aTrack } from './a-picture.ts'

const nowMs = Date.parse('2026-01-07T12:00:31Z')
const airliner = {
  id: 't1f',
  identifiers: [
    { id: '461F9C', type: 'ICAO' },
    { id: 'FIN5LA', type: 'CallSign' },
    { id: 'OH-LVA', type: 'Registration' },
  ],
  time: '2026-01-07T12:00:30.250Z',
  receivedAt: '2026-01-07T12:00:30.912Z',
  sensors: [
    {
      deviceId: 'urn:aa:device:acme:roof1',
      positionSource: 'adsb_icao',
      lastSeen: '2026-01-07T12:00:30.912Z',
      positions: 58,
    },
  ],
  position: { lat: 60.317_21, lon: 24.963_3 },
  altitudes: [
    { height: 1_234.4, datum: 'bar', provenance: 'given' },
    { height: 1_240.5, datum: 'wgs84', provenance: 'given' },
  ],
  groundVelocity: { x: 102.9, y: -3.1, z: 2.6 },
  onGround: false,
  positions: 58,
} satisfies Partial<AirTrack>

function anAircraft(differences: Partial<AirTrack> = {}) {
  const [aircraft] = toReadsb([aTrack({ ...airliner, ...differences })], nowMs).aircraft
  return aircraft
}

describe('in the format of readsb', () => {
  test('an aircraft has its members and units', () => {
    expect(toReadsb([aTrack(airliner)], nowMs)).toEqual({
      now: 1_767_787_231,
      messages: 58,
      notice: 'Not for navigation',
      aircraft: [
        {
          hex: '461f9c',
          type: 'adsb_icao',
          flight: 'FIN5LA  ',
          r: 'OH-LVA',
          alt_baro: 4_050,
          alt_geom: 4_070,
          gs: 200.1,
          track: 91.73,
          baro_rate: 512,
          lat: 60.317_21,
          lon: 24.963_3,
          seen_pos: 0.8,
          seen: 0.1,
          messages: 58,
          rssi: -49.5,
        },
      ],
    })
  })

  test('what is not known is missing', () => {
    const unknown = aTrack({
      ...airliner,
      identifiers: [],
      altitudes: [],
      onGround: undefined,
      groundVelocity: undefined,
    })
    const { aircraft } = toReadsb([JSON.parse(JSON.stringify(unknown))], nowMs)

    expect(Object.keys(aircraft[0] ?? {})).toEqual([
      'hex',
      'type',
      'lat',
      'lon',
      'seen_pos',
      'seen',
      'messages',
      'rssi',
    ])
  })

  test('a track without an ICAO address has one with a tilde, made of its ID', () => {
    expect(anAircraft({ id: 't1f', identifiers: [] })).toMatchObject({ hex: '~000033' })
    expect(anAircraft({ id: 'tzzzzzzz', identifiers: [] })?.hex).toMatch(/^~[0-9a-f]{6}$/)
  })

  test('consecutive tracks without an ICAO address have different addresses', () => {
    const tracks = Array.from({ length: 20_000 }, (_, n) =>
      aTrack({ id: `t${(n + 5e8).toString(36)}`, identifiers: [] }),
    )

    expect(new Set(toReadsb(tracks, nowMs).aircraft.map(({ hex }) => hex)).size).toBe(20_000)
  })

  test('of two tracks with one ICAO address, the one with more positions has it', () => {
    const tracks = [aTrack({ ...airliner, id: 't1', positions: 3 }), aTrack({ ...airliner, id: 't2', positions: 9 })]

    expect(toReadsb(tracks, nowMs).aircraft.map(({ hex }) => hex)).toEqual(['~000001', '461f9c'])
  })

  test('on the ground the altitude is a word', () => {
    expect(anAircraft({ onGround: true })).toMatchObject({ alt_baro: 'ground', alt_geom: 4_070 })
  })

  test('without a pressure altitude the rate is geometric', () => {
    const aircraft = anAircraft({ altitudes: [{ height: 100, datum: 'wgs84', provenance: 'given' }] })

    expect(aircraft).toMatchObject({ alt_geom: 328, geom_rate: 512 })
    expect(aircraft).not.toHaveProperty('baro_rate')
  })

  test.each([
    [{ x: 0, y: 10 }, 0],
    [{ x: -10, y: 0 }, 270],
    [{ x: -0.000_01, y: 10 }, 0],
  ])('the velocity %o has the track %d', (groundVelocity, track) => {
    expect(anAircraft({ groundVelocity })?.track).toBe(track)
  })

  test('a hovering target has a speed, and no track', () => {
    expect(anAircraft({ groundVelocity: { x: 0, y: 0 } })).toMatchObject({ gs: 0 })
    expect(anAircraft({ groundVelocity: { x: 0, y: 0 } })).not.toHaveProperty('track')
  })

  test('a position of a clock that is ahead is zero seconds old', () => {
    expect(anAircraft({ time: '2026-01-07T12:00:33Z' })).toMatchObject({ seen_pos: 0 })
  })

  test('a long call sign is cut to eight characters; a drone has its category', () => {
    const identifiers = [{ id: 'VERYLONGNAME', type: 'CallSign' }]

    expect(anAircraft({ identifiers, type: 'aa:target:drone' })).toMatchObject({ flight: 'VERYLONG', category: 'B6' })
  })

  test('a reader of readsb gets back where the target is, how it moves, and who it is', () => {
    const [position] = createAircraftJsonMapper().map(toReadsb([aTrack(airliner)], nowMs), 0)

    expect(position?.position).toMatchObject({ lat: 60.317_21, lon: 24.963_3 })
    expect(position?.groundVelocity?.x).toBeCloseTo(102.9, 0)
    expect(position?.groundVelocity?.z).toBeCloseTo(2.6, 1)
    expect(position?.altitudes?.map(({ height, datum }) => `${Math.round(height)} ${datum}`)).toEqual([
      '1234 bar',
      '1241 wgs84',
    ])
    expect(position?.target?.ids).toEqual(
      expect.arrayContaining([
        { id: '461F9C', type: 'ICAO' },
        { id: 'FIN5LA', type: 'CallSign' },
      ]),
    )
  })
})

describe('as GeoJSON', () => {
  test('a track is a point with longitude, latitude and the height above the ellipsoid', () => {
    expect(toFeature(aTrack(airliner))).toMatchObject({
      type: 'Feature',
      id: 't1f',
      geometry: { type: 'Point', coordinates: [24.963_3, 60.317_21, 1_240.5] },
      properties: { id: 't1f', state: 'live' },
    })
  })

  test('another altitude is not taken for that height', () => {
    const track = aTrack({ ...airliner, altitudes: airliner.altitudes.slice(0, 1) })

    expect(toFeature(track).geometry.coordinates).toEqual([24.963_3, 60.317_21])
  })
})
