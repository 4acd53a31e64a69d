/**
 * Inputs as receivers write them, to be broken. In: nothing. Out: an arbitrary of values, or of lines, per source; all
 * times are about now.
 */
import fc from 'fast-check'

const lat = fc.double({ min: -90, max: 90, noNaN: true })
const lon = fc.double({ min: -180, max: 180, noNaN: true })
const hex = fc.stringMatching(/^~?[0-9a-f]{6}$/)
/** A number, and the same as text, as some receivers write it. */
const number = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true }).chain((value) => fc.constantFrom<unknown[]>(value, String(value)))
const maybe = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined })

export const receivedAtMs = Date.UTC(2026, 10, 25, 12, 0, 0)
const seconds = receivedAtMs / 1_000

const aircraft = fc.record({
  hex,
  flight: maybe(fc.constantFrom('TST006  ', '00000000', '????????', 'TST\0\0\0')),
  alt_baro: maybe(fc.oneof(number(-1_000, 60_000), fc.constant('ground'))),
  gs: maybe(number(0, 700)),
  track: maybe(number(0, 360)),
  baro_rate: maybe(number(-6_000, 6_000)),
  lat: fc.oneof(lat, lat.map(String)),
  lon: fc.oneof(lon, lon.map(String)),
  seen_pos: maybe(number(0, 70)),
  validtrack: maybe(fc.constantFrom(0, 1)),
  on_ground: maybe(fc.boolean()),
})

export const snapshots: fc.Arbitrary<unknown> = fc.record({
  now: fc.oneof(number(seconds - 3, seconds), fc.constant(undefined)),
  aircraft: fc.array(aircraft, { maxLength: 5 }),
})

export const remoteIds: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    t: fc.oneof(
      number(seconds - 3, seconds),
      number(0, 36_000),
      fc.constantFrom(65_535, undefined, '2026-11-25T11:59:59Z'),
    ),
    uas_id: fc.constantFrom('TEST0008', 'TEST0009\0\0\0\0'),
    lat,
    lon,
    alt_geo_m: maybe(number(-1_000, 65_531)),
    speed_ms: maybe(number(0, 255)),
    track: maybe(number(0, 361)),
    status: maybe(fc.constantFrom('airborne', 1, 2)),
    seconds_after_hour: maybe(number(0, 3_600)),
  }),
  fc.record({
    'Basic ID': fc.record({ id: fc.constant('TEST10'), id_type: fc.constant('Serial Number (ANSI/CTA-2063-A)') }),
    'Location/Vector Message': fc.record({
      latitude: lat,
      longitude: lon,
      timestamp: number(0, 3_600),
      speed: number(0, 255),
    }),
  }),
  fc.record({
    id: fc.constant('flight-1'),
    current_state: fc.record({
      timestamp: fc.record({ value: fc.constant('2026-11-25T11:59:59Z'), format: fc.constant('RFC3339') }),
      position: fc.record({ lat, lng: lon, alt: maybe(number(-1_000, 4_000)) }),
    }),
  }),
)

const time = fc.constantFrom('2026/11/25,11:59:59.100', '2026/11/25,11:59:59', ',', '2026/13/45,99:99:99')

export const sbsLines: fc.Arbitrary<string> = fc
  .record({
    kind: fc.constantFrom('MSG', 'MLAT', 'AIR', 'STA'),
    type: fc.integer({ min: 1, max: 8 }),
    hex: fc.oneof(hex, fc.stringMatching(/^1[0-9A-F]{6}$/)),
    generated: time,
    logged: time,
    altitude: fc.constantFrom('', '3000', '3025H', '-1000', 'nan', '1e3'),
    rest: fc.constantFrom('120,90', ',', '1.2e2,361'),
    lat: fc.oneof(
      lat.map((value) => value.toFixed(5)),
      fc.constant(''),
    ),
    lon: fc.oneof(
      lon.map((value) => value.toFixed(5)),
      fc.constant(''),
    ),
    end: fc.constantFrom(',64,1234,0,0,0,0', ',,,0,0,0,-1', ''),
  })
  .map(
    ({ kind, type, hex, generated, logged, altitude, rest, lat, lon, end }) =>
      `${kind},${type},1,1,${hex},1,${generated},${logged},TST,${altitude},${rest},${lat},${lon}${end}`,
  )
