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
  ['a latitude of 91', { lat: 91 }],
  ['a position that the receiver holds to be invalid', { validposition: 0 }],
  ['a position as text', { lat: '60.3' }],
])('an aircraft with %s is counted and not reported', (_, rest) => {
  const mapper = createAircraftJsonMapper()

  expect(mapper.map({ now: 1_767_767_700, aircraft: [{ ...aircraft, ...rest }] }, 0)).toEqual([])
  expect(mapper.counters()).toMatchObject({ withoutPosition: 1, positions: 0, unparsable: 0 })
})

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
