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

  expect(mapper.counters()).toEqual({ messages: 1_140, positions: 124, repetitions: 1_016, unparsable: 0 })
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

function map(message: unknown, options?: RemoteIdMapperOptions) {
  return createRemoteIdMapper(options).map(message)[0]
}
