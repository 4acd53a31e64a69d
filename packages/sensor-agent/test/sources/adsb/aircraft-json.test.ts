import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { vPositionData } from '@posrep/spec/validators'
import { is } from 'valibot'
import { expect, test } from 'vitest'
import { createAircraftJsonMapper } from '../../../src/sources/adsb/aircraft-json.ts'

const aircraft = { hex: '461f67', alt_baro: 1_000, lat: 60.3, lon: 24.9 }

test('each position of a real recording is reported once, is valid, and the times of an aircraft increase', () => {
  const mapper = createAircraftJsonMapper()
  const lines = gunzipSync(readFileSync(new URL('../../recordings/efhk_2026-01-07.aircraft.jsonl.gz', import.meta.url)))
  const times = new Map<string | undefined, number>()
  const ids = new Set<string>()

  for (const line of lines.toString().trim().split('\n')) {
    for (const position of mapper.map(JSON.parse(line), 0)) {
      expect(is(vPositionData, position)).toBe(true)
      const ms = Date.parse(position.sourceTimeStamp)
      expect(ms).toBeGreaterThan(times.get(position.target?.sourceId) ?? 0)
      times.set(position.target?.sourceId, ms)
      ids.add(position.id)
    }
  }

  // Counted in the recording by (aircraft, coordinates, now - seen_pos), with positions up to 60 s old.
  expect(ids.size).toBe(1_362)
  expect(mapper.counters()).toMatchObject({ snapshots: 120, positions: 1_362, unparsable: 0 })
  expect(times.size).toBe(28)
})

test('a position that is repeated in the next snapshot is not reported again, even if its time was rounded', () => {
  const mapper = createAircraftJsonMapper()
  const map = (now: number, seen_pos: number, rest = {}) =>
    mapper.map({ now, aircraft: [{ ...aircraft, seen_pos, ...rest }] }, 0)

  expect(map(1_767_767_700.5, 0.4)).toHaveLength(1)
  expect(map(1_767_767_701.6, 1.4)).toEqual([])
  expect(map(1_767_767_701.6, 0.1)).toHaveLength(1)
})

test('an aircraft that does not move is reported each time its position was received', () => {
  const mapper = createAircraftJsonMapper()
  const snapshots = [0, 1, 2].map((second) => ({
    now: 1_767_767_700 + second,
    aircraft: [{ ...aircraft, seen_pos: 0 }],
  }))

  expect(snapshots.flatMap((snapshot) => mapper.map(snapshot, 0))).toHaveLength(3)
})

test('a position that is older than the last one is not reported', () => {
  const mapper = createAircraftJsonMapper()
  mapper.map({ now: 1_767_767_700, aircraft: [{ ...aircraft, seen_pos: 0 }] }, 0)

  expect(mapper.map({ now: 1_767_767_701, aircraft: [{ ...aircraft, lat: 60.4, seen_pos: 9 }] }, 0)).toEqual([])
})

test.each([1, 6, 60, 3_600, 60_000_000])(
  'after the clock of the receiver was %d s ahead and was corrected, every aircraft is reported again',
  (aheadSeconds) => {
    const mapper = createAircraftJsonMapper()
    const map = (now: number, lat: number) =>
      mapper.map({ now: 1_767_767_700 + now, aircraft: [{ ...aircraft, lat, seen_pos: 0 }, parked] }, 0).length
    const parked = { ...aircraft, hex: '461f68', seen_pos: 0 }
    map(0, 60.3)
    map(aheadSeconds, 60.31)

    const reported = [6, 7, 8].map((now) => map(now, 60.3 + now / 100))

    expect(reported.slice(1)).toEqual([2, 2])
  },
)

test('positions are still recognised after the clock of the receiver was set back', () => {
  const mapper = createAircraftJsonMapper()
  const map = (now: number, seen_pos: number) => mapper.map({ now, aircraft: [{ ...aircraft, seen_pos }] }, 0).length
  map(1_767_771_300, 0)

  expect(map(1_767_767_700, 0)).toBe(1)
  expect(map(1_767_767_701, 1)).toBe(0)
})

test('numbers that no receiver means are left out, as infinite ones are', () => {
  const wrong = { gs: 1e308, track: 90, alt_geom: -1e300, baro_rate: 1e200, alt_baro: 1e308 }
  const [mapped] = createAircraftJsonMapper().map({ now: 1_767_767_700, aircraft: [{ ...aircraft, ...wrong }] }, 0)

  expect(is(vPositionData, JSON.parse(JSON.stringify(mapped)))).toBe(true)
  expect(mapped).not.toHaveProperty('groundVelocity')
  expect(mapped).not.toHaveProperty('altitudes')
})

test.each([
  ['an old position', { seen_pos: 61 }],
  [
    'only the last known position',
    { lat: undefined, lon: undefined, lastPosition: { lat: 60, lon: 24, seen_pos: 90 } },
  ],
  ['a position that the receiver holds to be invalid', { validposition: 0 }],
  ['a position that the receiver holds not to be valid', { validposition: false }],
  ['a rough position', { lat: undefined, lon: undefined, rr_lat: 60, rr_lon: 24 }],
])('an aircraft with %s is counted and not reported', (_, rest) => {
  const mapper = createAircraftJsonMapper()

  expect(mapper.map({ now: 1_767_767_700, aircraft: [{ ...aircraft, ...rest }] }, 0)).toEqual([])
  expect(mapper.counters()).toMatchObject({ withoutPosition: 1, positions: 0, unparsable: 0 })
})

test.each([
  ['no_identifier', { hex: 'xyz' }],
  ['no_identifier', { hex: '000000' }],
  ['no_identifier', { hex: undefined, icao24: '461f67' }],
  ['no_place', { lat: 'north' }],
  ['no_place', { lon: undefined }],
  ['no_place', { lat: undefined, lon: undefined, latitude: 60, longitude: 24 }],
  ['no_place', { lat: undefined, lon: undefined, lat_deg: 60, lon_deg: 24 }],
  ['impossible_place', { lat: 91 }],
  ['null_island', { lat: 0, lon: 0 }],
  ['null_island', { lat: '0.000', lon: 0 }],
])('%s: an aircraft with %j is counted with the reason, and the others are reported', (reason, rest) => {
  const told: string[] = []
  const mapper = createAircraftJsonMapper({ onUnusable: (given, message) => told.push(`${given}: ${message}`) })
  const list = [
    { ...aircraft, ...rest },
    { ...aircraft, hex: '461f68' },
  ]

  expect(mapper.map({ now: 1_767_767_700, aircraft: list }, 0)).toHaveLength(1)
  expect(mapper.counters()).toMatchObject({ aircraft: 2, positions: 1, unparsable: 1, reasons: { [reason]: 1 } })
  expect(told).toEqual([expect.stringMatching(new RegExp(`^${reason}: .`))])
})

test('numbers as text, and identifiers padded with NUL, are read in every member', () => {
  const text = { hex: '461f67\0', flight: 'TST006\0\0', alt_baro: '3000', gs: '120.1', track: '90.0', baro_rate: '-64' }
  const more = { lat: '60.20000', lon: '24.90000', seen_pos: '0.4', nac_p: '8', nac_v: '1', alt_geom: '3100' }
  const numbers = { hex: '461f67', flight: 'TST006', alt_baro: 3_000, gs: 120.1, track: 90, baro_rate: -64 }
  const others = { lat: 60.2, lon: 24.9, seen_pos: 0.4, nac_p: 8, nac_v: 1, alt_geom: 3_100 }
  const [read] = createAircraftJsonMapper().map({ now: '1767767700.1', aircraft: [{ ...text, ...more }] }, 0)
  const [same] = createAircraftJsonMapper().map({ now: 1_767_767_700.1, aircraft: [{ ...numbers, ...others }] }, 0)

  expect(read).toEqual(same)
  expect(read?.altitudes).toHaveLength(2)
})

test('a member that cannot be read is left out and told, and the position stays', () => {
  const partial: string[] = []
  const mapper = createAircraftJsonMapper({ onPartial: (part) => partial.push(part) })

  const [mapped] = mapper.map(
    { now: 1_767_767_700, aircraft: [{ ...aircraft, alt_baro: 'high', gs: {}, track: '' }] },
    0,
  )

  expect(mapped).not.toHaveProperty('altitudes')
  expect(partial).toEqual(['altitude', 'speed'])
})

test('of one address twice in a snapshot the newer position is taken, the other is counted, and no time is invented', () => {
  const mapper = createAircraftJsonMapper()
  const list = [
    { ...aircraft, seen_pos: 0.3 },
    { ...aircraft, lat: 60.4, seen_pos: 0.25 },
  ]

  const mapped = [0, 1, 2].flatMap(() => mapper.map({ now: 1_767_767_700, aircraft: list }, 0))

  expect(mapped.map(({ sourceTimeStamp }) => sourceTimeStamp)).toEqual(['2026-01-07T06:34:59.750Z'])
  expect(mapper.counters()).toMatchObject({ positions: 1, repetitions: 2, reasons: { twice_in_snapshot: 3 } })
})

test.each([
  ['on_ground', true, true],
  ['on_ground', false, false],
  ['on_ground', 'true', true],
  ['ground', true, true],
  ['gnd', '1', true],
  ['airground', 1, true],
  ['airground', 2, false],
])('what the aircraft says of itself counts more than its pressure altitude: %s %j', (name, value, onGround) => {
  const [mapped] = createAircraftJsonMapper().map({ now: 1_767_767_700, aircraft: [{ ...aircraft, [name]: value }] }, 0)

  expect(mapped?.onGround).toBe(onGround)
})

test('zeros of dump1090 that stand for unknown are no velocity and no position', () => {
  const old = { hex: '40a005', lat: 60.2, lon: 24.9, altitude: 3_000, vert_rate: 0, track: 0, speed: 0, seen: 1 }
  const mapper = createAircraftJsonMapper()
  const list = [
    { ...old, validposition: 1, validtrack: 0 },
    { ...old, hex: '40a006', validposition: 1, validtrack: 1 },
    { ...old, hex: '40a007', lat: 0, lon: 0, validposition: 0 },
  ]

  const mapped = mapper.map(list, Date.UTC(2026, 0, 7))

  expect(mapped.map(({ groundVelocity }) => groundVelocity)).toEqual([undefined, { x: 0, y: 0, z: 0 }])
})

test('a call sign of zeros or question marks is none', () => {
  const list = ['00000000', '????????', '0'].map((flight, at) => ({ ...aircraft, hex: `46100${at}`, flight }))

  const mapped = createAircraftJsonMapper().map({ now: 1_767_767_700, aircraft: list }, 0)

  expect(mapped.map(({ target }) => target?.ids?.length)).toEqual([1, 1, 1])
})

test.each(['ac', 'aircraft'])('null stands for an empty list: %s', (name) => {
  const mapper = createAircraftJsonMapper()
  expect(mapper.map({ [name]: null, total: 0, now: 1_767_767_700_100 }, 0)).toEqual([])
  expect(mapper.counters()).toMatchObject({ snapshots: 1, unparsable: 0 })
})

test.each([[12.5], [0], ['soon'], [null]])(
  'a snapshot with the time %j has the time of reception, and its positions say so',
  (now) => {
    const partial: string[] = []
    const mapper = createAircraftJsonMapper({ onPartial: (part) => partial.push(part) })

    const [mapped] = mapper.map({ now, aircraft: [aircraft] }, Date.UTC(2026, 0, 7))

    expect(mapped?.sourceTimeStamp).toBe('2026-01-07T00:00:00.000Z')
    expect(mapped?.target?.additionalInfo).toMatchObject({ timeSource: 'agent' })
    expect(partial).toEqual(['time'])
  },
)

test.each([
  [null],
  ['text'],
  [{}],
  [{ aircraft: 'none' }],
  [{ now: 1, aircraft: [null] }],
  [{ aircraft: [{ hex: 'xyz' }] }],
])('%j is counted as unparsable', (snapshot) => {
  const mapper = createAircraftJsonMapper()

  expect(mapper.map(snapshot, 0)).toEqual([])
  expect(mapper.counters().unparsable).toBe(1)
})

test('the list of an aggregator, with its time in milliseconds, is a snapshot', () => {
  const [mapped] = createAircraftJsonMapper().map({ now: 1_767_767_700_560, ac: [{ ...aircraft, seen_pos: 1.06 }] }, 0)

  expect(mapped?.sourceTimeStamp).toBe('2026-01-07T06:34:59.500Z')
})

test('a snapshot without a time has the time at which it was received', () => {
  const [mapped] = createAircraftJsonMapper().map([{ ...aircraft, seen_pos: 1 }], Date.UTC(2026, 0, 7, 12))

  expect(mapped?.sourceTimeStamp).toBe('2026-01-07T11:59:59.000Z')
})

test('the largest age is an option', () => {
  const mapper = createAircraftJsonMapper({ maxAgeSeconds: 5 })

  expect(mapper.map({ now: 1_767_767_700, aircraft: [{ ...aircraft, seen_pos: 5.1 }] }, 0)).toEqual([])
  expect(() => createAircraftJsonMapper({ maxAgeSeconds: -1 })).toThrow(RangeError)
})
