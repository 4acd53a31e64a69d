import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { vPositionData } from '@posrep/spec/validators'
import { is } from 'valibot'
import { expect, test } from 'vitest'
import { createRemoteIdMapper, type RemoteIdMapperOptions } from '../../../src/sources/remote-id/remote-id.ts'

const broadcast = {
  t: 1_680_365_780.1,
  status: 'airborne',
  lat: 47.1987099,
  lon: 8.7302371,
  speed_ms: 2.5,
  vspeed_ms: -0.5,
  track: 90,
  height_m: 8.5,
  height_ref: 'takeoff',
  alt_baro_m: null,
  alt_geo_m: 512.5,
  hacc: 11,
  vacc: 4,
  uas_id: '1588E040445AC004418',
  id_type: 'serial',
  ua_type: 2,
}

const flight = {
  id: 'a3423b-213401-0023',
  aircraft_type: 'Helicopter',
  current_state: {
    timestamp: { value: '2023-04-01T16:16:20.10Z', format: 'RFC3339' },
    operational_status: 'Airborne',
    position: {
      lat: -34.123,
      lng: 56.456,
      alt: 1_036,
      accuracy_h: 'HA10m',
      accuracy_v: 'VA3m',
      pressure_altitude: 1_000,
    },
    track: 180,
    speed: 15,
    vertical_speed: 1.25,
    height: { distance: 30, reference: 'GroundLevel' },
  },
}

test('each message time of a real recording is reported once', () => {
  const mapper = createRemoteIdMapper()
  const bytes = readFileSync(new URL('../../recordings/remoteid_anafi_2023-04-01.jsonl.gz', import.meta.url))
  const lines = gunzipSync(bytes).toString().trim().split('\n')

  const mapped = lines.flatMap((line) => mapper.map(JSON.parse(line)))

  expect(mapper.counters()).toMatchObject({ messages: 1_140, positions: 124, repetitions: 1_016, unparsable: 0 })
  expect(mapped.every((position) => is(vPositionData, position))).toBe(true)
  expect(mapped[0]).toEqual({
    id: '1588E040445AC004418-1680365729100',
    sourceTimeStamp: '2023-04-01T16:15:29.100Z',
    target: {
      sourceId: '1588E040445AC004418',
      type: 'aa:target:drone',
      ids: [{ id: '1588E040445AC004418', type: 'SerialNumber' }],
      additionalInfo: { uaType: 2, heightAboveTakeoff: 0 },
    },
    position: { lat: 47.1987103, lon: 8.7302371, source: 'remote-id' },
    altitudes: [{ height: 0, datum: 'agl' }],
    groundVelocity: { x: 0, y: 0, z: 0 },
    onGround: true,
  })
})

test('a message dated in the future silences neither the drone it names nor its repetitions', () => {
  const mapper = createRemoteIdMapper()
  const times = [
    broadcast.t,
    Date.UTC(2100, 0, 1) / 1_000,
    broadcast.t,
    broadcast.t + 1,
    broadcast.t + 1,
    broadcast.t + 2,
  ]

  const mapped = times.flatMap((t) => mapper.map({ ...broadcast, t }))

  expect(mapped.map(({ sourceTimeStamp }) => sourceTimeStamp)).toEqual([
    '2023-04-01T16:16:20.100Z',
    '2100-01-01T00:00:00.000Z',
    '2023-04-01T16:16:21.100Z',
    '2023-04-01T16:16:22.100Z',
  ])
  expect(mapper.counters()).toMatchObject({ positions: 4, repetitions: 2 })
})

test('a decoded broadcast message becomes a position in SI units with bounds in metres', () => {
  expect(map(broadcast)).toMatchObject({
    sourceTimeStamp: '2023-04-01T16:16:20.100Z',
    position: { lat: 47.1987099, lon: 8.7302371, accuracy: 3 },
    altitudes: [{ height: 512.5, datum: 'wgs84', accuracy: 10 }],
    groundVelocity: { x: 2.5, y: 0, z: -0.5 },
    onGround: false,
    target: { additionalInfo: { heightAboveTakeoff: 8.5 } },
  })
})

test('a flight of the network interface becomes a position', () => {
  expect(map(flight)).toEqual({
    id: 'a3423b-213401-0023-1680365780100',
    sourceTimeStamp: '2023-04-01T16:16:20.100Z',
    target: {
      sourceId: 'a3423b-213401-0023',
      type: 'aa:target:drone',
      ids: [{ id: 'a3423b-213401-0023', type: 'RemoteId' }],
      additionalInfo: { uaType: 'Helicopter' },
    },
    position: { lat: -34.123, lon: 56.456, accuracy: 10, source: 'remote-id' },
    altitudes: [
      { height: 1_036, datum: 'wgs84', accuracy: 3 },
      { height: 1_000, datum: 'bar' },
      { height: 30, datum: 'agl' },
    ],
    groundVelocity: { x: 0, y: -15, z: 1.25 },
    onGround: false,
  })
})

test('the serial number of a flight names the drone', () => {
  const ids = map({ ...flight, details: { uas_id: { serial_number: '1588E040445AC004418' } } })?.target?.ids
  expect(ids).toEqual([{ id: '1588E040445AC004418', type: 'SerialNumber' }])
})

test('the flights of an answer are mapped one by one', () => {
  expect(createRemoteIdMapper().map({ flights: [flight, { ...flight, id: 'other' }] })).toHaveLength(2)
})

test('on the ground a drone does not climb, whether it says its vertical speed or not', () => {
  expect(map({ ...broadcast, status: 'ground', vspeed_ms: 63, speed_ms: 0 })?.groundVelocity).toEqual({
    x: 0,
    y: 0,
    z: 0,
  })
  expect(map({ ...broadcast, status: 'airborne', vspeed_ms: 63, speed_ms: 0 })?.groundVelocity).toEqual({ x: 0, y: 0 })
})

test('values that mean unknown are left out', () => {
  const unknown = { alt_geo_m: -1_000, height_m: -1_000, speed_ms: 255, vspeed_ms: 63, track: 361, hacc: 0, vacc: 0 }
  const mapped = map({ ...broadcast, ...unknown, status: 'undeclared' })

  expect(Object.keys(mapped ?? {})).toEqual(['id', 'sourceTimeStamp', 'target', 'position'])
  expect(mapped?.position).toEqual({ lat: 47.1987099, lon: 8.7302371, source: 'remote-id' })
})

test('a height above take-off is a height above ground only if the option says so', () => {
  expect(map(broadcast, { takeoffHeight: 'agl' })?.altitudes).toContainEqual({ height: 8.5, datum: 'agl' })
  expect(map(broadcast)?.altitudes).not.toContainEqual(expect.objectContaining({ datum: 'agl' }))
})

test.each([
  [undefined],
  [{ ...broadcast, lat: 0, lon: 0 }],
  [{ ...broadcast, lat: 91 }],
  [{ ...broadcast, t: 'yesterday' }],
  [{ ...broadcast, t: 1e300 }],
  [{ ...broadcast, uas_id: ' ' }],
  [{ ...flight, current_state: { ...flight.current_state, position: null } }],
])('%j is counted as unparsable', (message) => {
  const mapper = createRemoteIdMapper()

  expect(mapper.map(message)).toEqual([])
  expect(mapper.counters().unparsable).toBe(1)
})

const nowMs = Date.UTC(2026, 10, 25, 12, 5)

/** As a source reads them, now. */
function receive(messages: unknown[], options?: RemoteIdMapperOptions) {
  const told: string[] = []
  const partial: string[] = []
  const mapper = createRemoteIdMapper({
    receivedAtMs: () => nowMs,
    onUnusable: (reason, message) => told.push(`${reason}: ${message}`),
    onPartial: (part) => partial.push(part),
    ...options,
  })
  const positions = messages.flatMap((message) => mapper.map(message))
  return { positions, told, partial, counters: mapper.counters() }
}

test.each([[2_075.6], [20_756], [65_535], ['247.5'], ['yesterday'], [null], [{ value: 'x' }]])(
  'the time %j does not say since when it counts, so the position has that of reception, and says so',
  (t) => {
    const { positions, partial } = receive([{ ...broadcast, t }])

    expect(positions[0]?.sourceTimeStamp).toBe('2026-11-25T12:05:00.000Z')
    expect(positions[0]?.target?.additionalInfo).toMatchObject({ timeSource: 'agent' })
    expect(partial).toEqual(['time'])
  },
)

test.each([
  [247.5, '2026-11-25T12:04:07.500Z'],
  [3_590, '2026-11-25T11:59:50.000Z'],
  [0, '2026-11-25T12:00:00.000Z'],
  [6_553.5, '2026-11-25T12:05:00.000Z'],
])(
  '%d seconds after the hour, where the member says so, are of the hour next to the reception',
  (seconds, expected) => {
    const { positions } = receive([{ ...broadcast, t: undefined, seconds_after_hour: seconds }])
    expect(positions[0]?.sourceTimeStamp).toBe(expected)
  },
)

test('an identifier padded with NUL is that of the drone', () => {
  const { positions } = receive([
    { ...broadcast, uas_id: 'TEST00000009\0\0\0\0' },
    { ...broadcast, uas_id: 'TEST00000009' },
  ])
  expect(positions.map(({ target }) => target?.sourceId)).toEqual(['TEST00000009'])
})

const location = {
  op_status: 'Airborne',
  height_type: 'Above Takeoff',
  direction: 211,
  speed: 12.25,
  vert_speed: -0.5,
  latitude: 60.31721,
  longitude: 24.9633,
  pressure_altitude: '118.5 m',
  geodetic_altitude: 141,
  height_agl: 96,
  horizontal_accuracy: '<10 m',
  timestamp: '247.5',
}
const basicId = { id_type: 'Serial Number (ANSI/CTA-2063-A)', id: '1596F0000000TEST', ua_type: '2' }

test.each([
  ['in one object', { index: 405, 'Basic ID': basicId, 'Location/Vector Message': location }],
  [
    'as a list',
    [
      { 'Basic ID': basicId },
      { 'Location/Vector Message': location },
      { 'System Message': { latitude: 1, longitude: 2 } },
    ],
  ],
])('the messages of one drone %s become one position', (_, message) => {
  const { positions, told } = receive([message])

  expect(told).toEqual([])
  expect(positions).toMatchObject([
    {
      target: {
        ids: [{ id: '1596F0000000TEST', type: 'SerialNumber' }],
        additionalInfo: { heightAboveTakeoff: 96, uaType: 2 },
      },
      position: { lat: 60.31721, lon: 24.9633, accuracy: 10 },
      altitudes: [
        { height: 141, datum: 'wgs84' },
        { height: 118.5, datum: 'bar' },
      ],
      groundVelocity: { z: -0.5 },
      onGround: false,
    },
  ])
})

test('flat members are read under the names of other receivers; an altitude that no drone can say is left out', () => {
  const kit = {
    id: 'drone-F6Q8TEST',
    id_type: 'Serial Number (ANSI/CTA-2063-A)',
    lat: 60.3,
    lon: 24.9,
    alt: 65_531,
    observed_at: 1_793_264_647.123,
  }
  const mesh = {
    mac: '02:00:00:00:00:10',
    'uav id': 'TEST10',
    'uav latitude': 47.2,
    'uav longitude': 8.7,
    'uav altitude': 120,
  }
  const { positions } = receive([kit, mesh])

  expect(positions).toMatchObject([
    { target: { sourceId: 'F6Q8TEST' }, sourceTimeStamp: '2026-10-29T09:04:07.123Z' },
    { target: { sourceId: 'TEST10' }, altitudes: [{ height: 120, datum: 'wgs84' }] },
  ])
  expect(positions[0]).not.toHaveProperty('altitudes')
})

test('a message without a member that it needs says which, and what it has', () => {
  const { told } = receive([
    { uas_id: 'X1', lat_deg: 47.2, lon_deg: 8.7 },
    { latitude: 47.2, longitude: 8.7 },
    { ...broadcast, lon: 'east' },
    { ...broadcast, lat: 0, lon: 0 },
    { current_state: { position: { lat: 1 } }, id: 'x' },
    'text',
  ])

  expect(told).toEqual([
    'no_place: not a Remote ID message with a position: no "latitude"; saw "uas_id", "lat_deg", "lon_deg"',
    'no_identifier: not a Remote ID message with a position: no "uas_id"; saw "latitude", "longitude"',
    'no_place: not a Remote ID message with a position: "longitude" is "east"',
    expect.stringMatching(/^null_island: 1588E040445AC004418: 0\/0/),
    'no_place: the position of the flight has no "lng" that is a number; saw "lat"',
    'unreadable: not a Remote ID message: it is no object',
  ])
})

test('two places at one time are two positions', () => {
  const { positions } = receive([broadcast, { ...broadcast, lat: 47.3 }, broadcast])
  expect(new Set(positions.map(({ id }) => id)).size).toBe(2)
})

function map(message: unknown, options?: RemoteIdMapperOptions) {
  return createRemoteIdMapper(options).map(message)[0]
}

test.each(['id_type', 'status', 'height_ref', 'hacc', 'vacc', 'ua_type'])('an object as %s is left out', (name) => {
  const mapper = createRemoteIdMapper()
  const message = { t: '2026-11-25T12:00:00Z', uas_id: 'TEST01', lat: 47.2, lon: 8.7, [name]: { toString: 'x' } }

  expect(mapper.map(message)).toHaveLength(1)
})

test.each(['constructor', '__proto__'])(
  'an accuracy with the name %s, which every object has, is none',
  (accuracy_h) => {
    const position = { lat: 47.2, lng: 8.7, accuracy_h }
    const [mapped] = createRemoteIdMapper().map({
      id: 'flight-1',
      current_state: { timestamp: '2026-11-25T12:00:00Z', position },
    })

    expect(mapped?.position).toEqual({ lat: 47.2, lon: 8.7, source: 'remote-id' })
  },
)
