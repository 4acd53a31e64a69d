import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { createSbsMapper } from '@posrep/sensor-agent/sources'
import type { PositionData } from '@posrep/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StandardPosition } from '../../src/standard/standard-position.ts'
import { standardise } from '../../src/standard/standardise.ts'
import { toIdentifier } from '../../src/track/to-air-track.ts'

function standardOf(given: Partial<PositionData> & Record<string, unknown> = {}): StandardPosition {
  const position = { id: 'p1', sourceTimeStamp: '2026-01-07T12:00:30.250Z', position: { lat: 60.31721, lon: 24.9633 } }
  const [standard] = standardise([{ ...position, ...given }], [0])
  if (!standard) throw new Error('No standard position')
  return standard
}

const at = (position: Partial<PositionData['position']>) => standardOf({ position: { lat: 60, lon: 25, ...position } })
const identifiersOf = (...ids: { id: string; type?: string }[]) => standardOf({ target: { ids } }).target.identifiers
const moving = (x: number, y: number) => standardOf({ groundVelocity: { x, y } }).groundVelocity

describe('a vector', () => {
  test.each([
    [0, 10, 0],
    [10, 0, 90],
    [0, -10, 180],
    [-10, 0, 270],
    [10, 10, 45],
    [-1e-300, 10, 0],
  ])('with %d east and %d north has the direction %d degrees', (x, y, degrees) => {
    expect(moving(x, y)?.directionDegrees).toBeCloseTo(degrees, 9)
  })

  test('has a speed from both components, the vertical rate, and the values that the sensor sent', () => {
    const vector = { x: 3, y: 4, z: -2, horizontalAccuracy: 0.5, verticalAccuracy: 1, source: 2, age: 0.25 }
    expect(standardOf({ groundVelocity: vector }).groundVelocity).toEqual({
      eastMetresPerSecond: 3,
      northMetresPerSecond: 4,
      upMetresPerSecond: -2,
      speedMetresPerSecond: 5,
      directionDegrees: expect.closeTo(36.87, 2),
      horizontalAccuracyMetresPerSecond: 0.5,
      verticalAccuracyMetresPerSecond: 1,
      source: '2',
      ageMs: 250,
    })
  })

  test('with the length 0 has a speed and no direction', () => {
    expect(moving(0, 0)).toMatchObject({ speedMetresPerSecond: 0 })
    expect(moving(0, 0)).not.toHaveProperty('directionDegrees')
  })

  test('with one horizontal component has neither speed nor direction', () => {
    expect(standardOf({ groundVelocity: { x: 3, z: 1 } }).groundVelocity).toEqual({
      eastMetresPerSecond: 3,
      upMetresPerSecond: 1,
    })
  })
})

describe('an identifier', () => {
  test.each([
    ['ICAO', 'a1b2c3', 'ICAO', 'A1B2C3'],
    ['icao24', ' A1b2c3 ', 'ICAO', 'A1B2C3'],
    ['ICAO 24-bit address', '461f9c', 'ICAO', '461F9C'],
    ['CallSign', 'fin123  ', 'CallSign', 'FIN123'],
    ['call_sign', ' Fin 123', 'CallSign', 'FIN 123'],
    ['Registration', 'oh-lvk', 'Registration', 'OHLVK'],
    ['Registration', 'D EABC', 'Registration', 'DEABC'],
    ['SERIALNUMBER', ' 1581F4bNd2 ', 'SerialNumber', '1581F4bNd2'],
    ['imei', 'imei:35-209900-176148-1', 'IMEI', '352099001761481'],
  ])('with the type "%s" and the text "%s" becomes %s %s', (type, id, kind, standard) => {
    const written = id.trim()
    expect(identifiersOf({ id, type })).toEqual([
      { kind, id: standard, ...(written !== standard && { written }), type },
    ])
  })

  test('is shown as it was sent; only an address has one notation', () => {
    const ids = identifiersOf({ id: ' oh-lvk ', type: 'registration' }, { id: 'a1b2c3', type: 'icao24' })
    expect(ids.map(toIdentifier)).toEqual([
      { id: 'oh-lvk', type: 'Registration' },
      { id: 'A1B2C3', type: 'ICAO' },
    ])
  })

  test.each([
    ['ICAO', '~2b0d0d'],
    ['ICAO', '12345'],
    ['ICAO', 'A1B2C3D'],
    ['IMEI', '12'],
    ['constructor', 'x'],
    ['Tail art', 'a1b2c3'],
  ])('with the type "%s" and the text "%s" becomes "other" and keeps its text', (type, id) => {
    expect(identifiersOf({ id, type })).toEqual([{ kind: 'other', id, type }])
  })

  test('without a type stays without a type', () => {
    expect(identifiersOf({ id: 'A1B2C3' })).toEqual([{ kind: 'other', id: 'A1B2C3' }])
  })

  test('that is empty or a duplicate is omitted', () => {
    const ids = identifiersOf(
      { id: '  ', type: 'CallSign' },
      { id: 'a1b2c3', type: 'ICAO' },
      { id: 'A1B2C3', type: 'icao24' },
      { id: 'x', type: 'one' },
      { id: 'x', type: 'other' },
    )
    expect(ids.map(({ kind, id, type }) => `${kind} ${id} ${type}`)).toEqual([
      'ICAO A1B2C3 ICAO',
      'other x one',
      'other x other',
    ])
  })
})

describe('the accuracy of a position', () => {
  test('is kept when the sensor sent it', () => {
    expect(at({ accuracy: 30 }).accuracy).toEqual({ metres: 30, provenance: 'given' })
  })

  test.each([
    [60, 25, 111_195],
    [60.3, 25, 11_119.5],
    [60.31721, 24.9633, 1.11195],
    // JSON omits trailing zeros, so the coordinate with more decimals counts.
    [60.5, 24.963312, 0.111195],
    [60.31721000000001, 24.9, 0.0111195],
    [1e-7, 0, 0.0111195],
  ])('at %d, %d is derived from the decimals when the sensor did not send it', (lat, lon, metres) => {
    const { accuracy } = at({ lat, lon })
    expect(accuracy).toMatchObject({ provenance: 'derived', from: 'the decimals of lat and lon' })
    expect(accuracy.metres).toBeCloseTo(metres, 9)
  })
})

test('each altitude keeps its datum, its source and its accuracy', () => {
  const { altitudes } = standardOf({
    altitudes: [
      { height: 900, datum: 'bar', source: 'Mode S', accuracy: 7.6, age: 2 },
      { height: -5, datum: 'wgs84' },
      { height: 40, datum: 'agl' },
    ],
  })
  expect(altitudes).toEqual([
    { heightMetres: 900, datum: 'bar', source: 'Mode S', accuracyMetres: 7.6, ageMs: 2_000, provenance: 'given' },
    { heightMetres: -5, datum: 'wgs84', provenance: 'given' },
    { heightMetres: 40, datum: 'agl', provenance: 'given' },
  ])
})

test('the date line is always -180 degrees, and north is always 0', () => {
  expect([at({ lon: 180 }).lonDegrees, at({ lon: -180 }).lonDegrees]).toEqual([-180, -180])
  expect([standardOf({ heading: 360 }).headingDegrees, standardOf({ heading: 0 }).headingDegrees]).toEqual([0, 0])
  expect(at({ lat: -0, lon: -0 })).toMatchObject({ latDegrees: 0, lonDegrees: 0 })
})

/** Every number that JSON can represent. */
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true })
const ages = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })
const optional = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] })
const vectors = optional({
  x: anyNumber,
  y: anyNumber,
  z: anyNumber,
  horizontalAccuracy: ages,
  verticalAccuracy: ages,
  source: fc.oneof(fc.string(), anyNumber),
  age: ages,
})
const identifiers = fc.record(
  {
    id: fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-fA-F]{6}$/)),
    type: fc.oneof(fc.string(), fc.constantFrom('ICAO', 'icao24', 'CallSign', 'IMEI', '__proto__')),
  },
  { requiredKeys: ['id'] },
)
const positions: fc.Arbitrary<PositionData> = fc.record(
  {
    id: fc.string({ minLength: 1 }),
    sourceTimeStamp: fc.constant('2026-01-07T12:00:30Z'),
    position: fc.record(
      {
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
        lon: fc.double({ min: -180, max: 180, noNaN: true }),
        accuracy: ages,
        source: fc.string(),
        age: ages,
      },
      { requiredKeys: ['lat', 'lon'] },
    ),
    target: optional({ sourceId: fc.string(), ids: fc.array(identifiers, { maxLength: 4 }) }),
    altitudes: fc.array(
      fc.record(
        { height: anyNumber, datum: fc.constantFrom('wgs84', 'agl', 'bar', 'msl'), accuracy: ages, age: ages },
        { requiredKeys: ['height', 'datum'] },
      ),
      { maxLength: 3 },
    ),
    groundVelocity: vectors,
    trueAirspeed: vectors,
    onGround: fc.boolean(),
    heading: fc.double({ min: 0, max: 360, noNaN: true }),
  },
  { requiredKeys: ['id', 'sourceTimeStamp', 'position'] },
)

describe('for any valid positions', () => {
  test('each has one standard position, the input is not changed, and the result is always the same', () => {
    fc.assert(
      fc.property(fc.array(positions, { maxLength: 5 }), (given) => {
        const before = structuredClone(given)
        const standard = standardise(
          given,
          given.map(() => 7),
        )
        expect(standard.map(({ id }) => id)).toEqual(given.map(({ id }) => id))
        expect(given).toEqual(before)
        expect(
          standardise(
            given,
            given.map(() => 7),
          ),
        ).toEqual(standard)
      }),
    )
  })

  test('every number is in its range', () => {
    fc.assert(
      fc.property(positions, (given) => {
        const standard = standardOf(given)
        // JSON writes NaN and Infinity as null.
        expect(JSON.stringify(standard)).not.toContain('null')
        expect(standard.latDegrees).toSatisfy((degrees: number) => degrees >= -90 && degrees <= 90)
        expect(standard.lonDegrees).toSatisfy((degrees: number) => degrees >= -180 && degrees < 180)
        for (const degrees of [
          standard.groundVelocity?.directionDegrees ?? 0,
          standard.airVelocity?.directionDegrees ?? 0,
          standard.headingDegrees ?? 0,
        ]) {
          expect(degrees).toSatisfy((value: number) => value >= 0 && value < 360)
        }
      }),
    )
  })

  test('speed and direction give the components of the vector again', () => {
    const speeds = fc.double({ min: -1_000, max: 1_000, noNaN: true })
    fc.assert(
      fc.property(speeds, speeds, (x, y) => {
        const { speedMetresPerSecond = 0, directionDegrees = 0 } = moving(x, y) ?? {}
        const radians = (directionDegrees * Math.PI) / 180
        expect(Math.sin(radians) * speedMetresPerSecond).toBeCloseTo(x, 6)
        expect(Math.cos(radians) * speedMetresPerSecond).toBeCloseTo(y, 6)
      }),
    )
  })

  test('an ICAO address is six hexadecimal digits in upper case', () => {
    fc.assert(
      fc.property(fc.array(identifiers, { maxLength: 5 }), (ids) => {
        for (const { kind, id } of identifiersOf(...ids)) if (kind === 'ICAO') expect(id).toMatch(/^[0-9A-F]{6}$/)
      }),
    )
  })
})

test('the positions of the shipped recording are plausible: known targets, speeds of aircraft, altitudes with a datum', () => {
  const recording = new URL('../../../server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url)
  const mapper = createSbsMapper({ timeZone: 'UTC' })
  const given = gunzipSync(readFileSync(recording))
    .toString()
    .split('\n')
    .slice(0, 20_000)
    .flatMap((line) => mapper.map(line) ?? [])
  const standard = standardise(
    given,
    given.map(() => 0),
  )

  expect(standard.length).toBeGreaterThan(1_000)
  const isPlausible = ({ target, altitudes, groundVelocity, accuracy, onGround }: StandardPosition) =>
    target.identifiers.some(({ kind }) => kind === 'ICAO') &&
    altitudes.every(({ datum, heightMetres }) => datum === (onGround ? 'agl' : 'bar') && heightMetres < 15_000) &&
    (groundVelocity?.speedMetresPerSecond ?? 0) < 400 &&
    accuracy.metres < 120
  expect(standard.filter((position) => !isPlausible(position))).toEqual([])
})
