/**
 * Breaks valid values and their JSON text.
 * In: a valid value, or its text. Out: arbitraries of broken ones. Some are still valid; find-fault.ts decides.
 */
import fc from 'fast-check'
import { anyCharacter } from './arbitrary-of.ts'

type Json = unknown
type Path = (string | number)[]

/** Values of every type, including boundary values. */
const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, '', 0, -0, -1, 91, 181, 1.5, 101, 1e308, 5e-324, 2 ** 53, [], {}, [null], [[]]),
  fc.constantFrom<Json[]>(
    '1',
    'wgs84',
    'WGS84',
    '2026-02-30T00:00:00Z',
    '2026-01-07',
    '2026-01-07 12:00:00Z',
    '\u0000',
    '\ud800',
    'x'.repeat(256),
  ),
  fc.string({ unit: anyCharacter }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
)

const names = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'id',
  'lng',
  'latitude',
  'positions',
  'sensor',
  '',
  '\u0000',
  '~1/',
  'x-unknown',
)

type Mutation = (value: Json, path: Path) => Json

const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  junk.map(
    (wrong): Mutation =>
      (value, path) =>
        changeAt(value, path, () => wrong),
  ),
  fc.constant<Mutation>(without),
  fc.tuple(names, junk).map(
    ([name, wrong]): Mutation =>
      (value, path) =>
        changeAt(value, path, (found) => (isObject(found) ? withMember(found, name, wrong) : wrong)),
  ),
  names.map(
    (name): Mutation =>
      (value, path) =>
        changeAt(value, path, (found) => withMember({}, name, found)),
  ),
  fc.constant<Mutation>((value, path) =>
    changeAt(value, path, (found) => (Array.isArray(found) ? [...found, ...found] : [found])),
  ),
)

/** Applies one to three mutations, each at a different path. */
export function mutated(valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc
    .tuple(valid, fc.array(fc.tuple(mutations, fc.nat()), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) =>
      changes.reduce((result, [mutate, nth]) => {
        const paths = pathsOf(result)
        return mutate(result, paths[nth % paths.length] ?? [])
      }, value),
    )
}

/** The text with a few bytes deleted, inserted or changed, or truncated. */
export function garbled(text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const inserts = fc.oneof(
    fc
      .constantFrom(
        '"',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '\\',
        '\n',
        '\u0000',
        '1e999',
        'NaN',
        '+5',
        '0x1',
        '//',
        "'",
        '{"a":',
        '\ufeff',
      )
      .map((piece) => Buffer.from(piece)),
    fc
      .constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82])
      .map((bytes) => Buffer.from(bytes)),
    fc.integer({ min: 1, max: 60 }).map((depth) => Buffer.from('['.repeat(depth))),
  )
  const edits = fc.record({
    at: fc.nat(),
    remove: fc.nat({ max: 3 }),
    insert: fc.option(inserts, { nil: Buffer.alloc(0) }),
  })
  const cut = fc.option(fc.nat(), { freq: 3, nil: undefined })
  return fc.tuple(text, fc.array(edits, { maxLength: 3 }), cut).map(([whole, changes, end]) => {
    let bytes: Buffer = Buffer.from(whole)
    for (const { at, remove, insert } of changes) {
      const from = at % (bytes.length + 1)
      bytes = Buffer.concat([bytes.subarray(0, from), insert, bytes.subarray(from + remove)])
    }
    return end === undefined ? bytes : bytes.subarray(0, end % (bytes.length + 1))
  })
}

function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const members: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...members.flatMap(([key, member]) => pathsOf(member, [...path, key]))]
}

function changeAt(value: Json, [key, ...rest]: Path, change: (found: Json) => Json): Json {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changeAt(item, rest, change) : item))
  if (!isObject(value)) return value
  return withMember(value, String(key), changeAt(value[key], rest, change))
}

function without(value: Json, path: Path): Json {
  const key = path.at(-1)
  if (key === undefined) return undefined
  return changeAt(value, path.slice(0, -1), (parent) => {
    if (Array.isArray(parent)) return parent.filter((_, index) => index !== key)
    return Object.fromEntries(Object.entries(parent as object).filter(([name]) => name !== key))
  })
}

/** Also sets a member named `__proto__`, which is an ordinary member in JSON. */
function withMember(value: Record<string, Json>, name: string, member: Json): Json {
  return Object.fromEntries([...Object.entries(value), [name, member]])
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
