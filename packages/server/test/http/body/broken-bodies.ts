/**
 * Bodies for fast-check: reports and token forms of the document, with mutations.
 * In: nothing. Out: arbitraries of JSON texts and of form fields; many are valid, most have one or several errors.
 */
import fc from 'fast-check'
import { aPosition } from '../../a-report.ts'

/** Wrong values that replace a right one. */
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    0,
    -0,
    1e300,
    -91,
    180.000001,
    101,
    0.5,
    '',
    '1',
    'true',
    'bar',
    'BAR',
    '\u0000',
    '\ud800',
    [],
    {},
    null,
  ),
  fc.constantFrom('2026-02-29T00:00:00Z', '2026-01-07 12:00:30Z', '2026-01-07T23:59:60Z', 'aa:target:aircraft'),
)

const full = aPosition({
  target: {
    sourceId: '461f9c',
    type: 'aa:target:aircraft',
    confidence: 99,
    ids: [{ id: '461F9C', type: 'ICAO' }],
  },
  position: { lat: 60.31721, lon: 24.9633, accuracy: 92.6, source: 'adsb', age: 0.4 },
  altitudes: [{ height: 922.02, datum: 'bar' }],
  groundVelocity: { x: -46.1, y: 55.2, z: -3.58, source: 'adsb' },
  onGround: false,
  heading: 320.1,
  additionalInfo: { note: 'x' },
})

const report: unknown = {
  sensor: {
    id: 'roof1',
    pressure: 1013.25,
    sensorPosition: { geographicPosition: { lat: 60.3, lon: 24.9 }, height: { height: 51, datum: 'wgs84' } },
  },
  positions: [full, aPosition()],
}

/** Paths to a member: names and array indexes. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))]
}

type Edit = { path: string[]; how: 'replace' | 'remove' | 'add'; name: string; value: unknown }

const edit: fc.Arbitrary<Edit> = fc.record({
  path: fc.constantFrom(...pathsOf(report)),
  how: fc.constantFrom('replace', 'remove', 'add'),
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'id', 'lng', 'extra'), fc.string()),
  value: strange,
})

function edited(value: unknown, [name, ...rest]: string[], change: Edit): unknown {
  if (typeof value !== 'object' || value === null) return change.value
  const isHere = name === undefined
  if (isHere && change.how === 'add') return withMember(value, change.name, () => change.value)
  if (isHere) return change.value
  if (rest.length === 0 && change.how === 'remove') {
    if (Array.isArray(value)) return value.toSpliced(Number(name), 1)
    return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
  }
  return withMember(value, name, (member) => edited(member, rest, change))
}

/** Own members with any name. */
function withMember(value: object, name: string, change: (member: unknown) => unknown): unknown {
  const old = Object.getOwnPropertyDescriptor(value, name)?.value
  if (Array.isArray(value)) return value.toSpliced(Number(name) || 0, 1, change(old))
  const next = { ...value }
  Object.defineProperty(next, name, { value: change(old), enumerable: true, configurable: true, writable: true })
  return next
}

const editedReport = fc
  .array(edit, { maxLength: 3 })
  .map((edits) => JSON.stringify(edits.reduce((value, change) => edited(value, change.path, change), report)))

const mutilated = fc
  .tuple(
    editedReport,
    fc.nat(),
    fc.constantFrom('', '"', '{', ']', ',', ':', '\\', '1e999', 'NaN', '\u0001', 'é', '\ufeff'),
  )
  .map(([text, at, piece]) => {
    const offset = at % (text.length + 1)
    return text.slice(0, offset) + piece + text.slice(offset + 1)
  })

export const reportBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: editedReport },
  { weight: 3, arbitrary: mutilated },
  { weight: 1, arbitrary: fc.json() },
)

const fieldNames = [
  'grant_type',
  'code',
  'redirect_uri',
  'refresh_token',
  'device_id',
  'client_id',
  'client_secret',
  'state',
  'scope',
]
const fieldValues = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'roof1',
  'fleet',
  's3cret-fleet',
  'jwt',
  '',
  ' ',
  'x',
]

/** Fields may be missing, repeated, unknown and in any order. */
export const formFields: fc.Arbitrary<[string, string][]> = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...fieldNames, 'token_format') },
      { weight: 1, arbitrary: fc.string() },
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fieldValues) }, { weight: 1, arbitrary: fc.string() }),
  ),
  { maxLength: 9 },
)
