import { createAircraftJsonMapper } from '@posrep/sensor-agent/sources'
import type { AirTrack } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { toCursorOnTarget } from '../../src/formats/cot-event.ts'
import { toGeoJsonFeature } from '../../src/formats/geo-json.ts'
import { toReadsb } from '../../src/formats/readsb.ts'
import { aTrack } from '../an-air-track.ts'

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
  const [aircraft] = toReadsb([aTrack({ ...airliner, ...differences })], { timeMs: nowMs }).aircraft
  return aircraft
}

describe('in the format of readsb', () => {
  test('an aircraft has its members and units', () => {
    expect(toReadsb([aTrack(airliner)], { timeMs: nowMs })).toEqual({
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
    const { aircraft } = toReadsb([JSON.parse(JSON.stringify(unknown))], { timeMs: nowMs })

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

    expect(new Set(toReadsb(tracks, { timeMs: nowMs }).aircraft.map(({ hex }) => hex)).size).toBe(20_000)
  })

  test('of two tracks with one ICAO address, the one with more positions has it', () => {
    const tracks = [aTrack({ ...airliner, id: 't1', positions: 3 }), aTrack({ ...airliner, id: 't2', positions: 9 })]

    expect(toReadsb(tracks, { timeMs: nowMs }).aircraft.map(({ hex }) => hex)).toEqual(['~000001', '461f9c'])
  })

  test('on the ground the altitude is a word', () => {
    expect(anAircraft({ onGround: true })).toMatchObject({ alt_baro: 'ground', alt_geom: 4_070 })
  })

  test('a height that was converted from a pressure altitude is not passed off as geometric', () => {
    const derived = {
      height: 900,
      datum: 'wgs84',
      provenance: 'derived',
      from: 'bar, sensor pressure 1009 hPa',
    } as const
    const bar = { height: 880, datum: 'bar', provenance: 'given' } as const

    expect(anAircraft({ altitudes: [bar, derived] })).not.toHaveProperty('alt_geom')
    expect(toGeoJsonFeature(aTrack({ altitudes: [bar, derived] })).geometry.coordinates).toHaveLength(2)
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
    const [position] = createAircraftJsonMapper().map(toReadsb([aTrack(airliner)], { timeMs: nowMs }), 0)

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
    expect(toGeoJsonFeature(aTrack(airliner))).toMatchObject({
      type: 'Feature',
      id: 't1f',
      geometry: { type: 'Point', coordinates: [24.963_3, 60.317_21, 1_240.5] },
      properties: { id: 't1f', state: 'live' },
    })
  })

  test('another altitude is not taken for that height', () => {
    const track = aTrack({ ...airliner, altitudes: airliner.altitudes.slice(0, 1) })

    expect(toGeoJsonFeature(track).geometry.coordinates).toEqual([24.963_3, 60.317_21])
  })
})

describe('text of sensors', () => {
  const script = '<IMG/SRC="X"ONERROR="alert(1)">'
  const named = (id: string, type: string) => aTrack({ ...airliner, id: 't1f', identifiers: [{ id, type }] })

  test.each(['CallSign', 'Registration', 'SerialNumber', 'IMEI', 'note'])(
    'that readers could run is left out of members that they show: %s',
    (type) => {
      const track = named(script, type)

      expect(JSON.stringify(toReadsb([track], { timeMs: nowMs }))).not.toMatch(/IMG|onerror/i)
      expect(toGeoJsonFeature(track).properties.name).toBe('t1f')
      expect(toCursorOnTarget(track, { timeMs: nowMs, namespace: 'acme' })).not.toMatch(/IMG|onerror/i)
    },
  )

  test.each([
    ['<b>', undefined],
    ['javascript:alert(1)', undefined],
    ['FIN&amp;5', undefined],
    ["FIN'5", undefined],
    ['FIN\u20285', undefined],
    ['\u202eFIN5', undefined],
    ['fin5la ', 'FIN5LA  '],
    ['UAV-1.2', 'UAV-1.2 '],
  ])('the call sign %j is the flight %j', (id, flight) => {
    expect(toReadsb([named(id, 'CallSign')], { timeMs: nowMs }).aircraft[0]?.flight).toBe(flight)
  })

  test('a drone has its serial number where readers show the registration, unless it has one', () => {
    const serial = { id: '1581F45TB22AB0019', type: 'SerialNumber' }
    const drone = aTrack({ ...airliner, type: 'aa:target:drone', identifiers: [serial] })
    const registered = aTrack({ ...drone, identifiers: [serial, { id: 'OH-X12', type: 'Registration' }] })

    expect(toReadsb([drone], { timeMs: nowMs }).aircraft[0]?.r).toBe('1581F45TB22AB0019')
    expect(toReadsb([registered], { timeMs: nowMs }).aircraft[0]?.r).toBe('OH-X12')
  })

  test('the name of a feature is the best identifier that is plain', () => {
    const identifiers = [
      { id: script, type: 'CallSign' },
      { id: 'OH-LVA', type: 'Registration' },
    ]
    expect(toGeoJsonFeature(aTrack({ ...airliner, identifiers })).properties.name).toBe('OH-LVA')
    expect(toGeoJsonFeature(aTrack(airliner)).properties.name).toBe('FIN5LA')
    expect(toGeoJsonFeature(named('Äänekoski 7', 'CallSign')).properties.name).toBe('Äänekoski 7')
  })
})
