import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../../src/http/body/json-body.ts'
import { toEntryText } from '../../../src/ports/storage/entry-text.ts'

function textOf(body: string): string {
  return toEntryText(parseJson(Buffer.from(body)).sent)
}

test('a body is stored exactly, to the last digit and space', () => {
  const body =
    '{ "n": 12345678901234567890.10, "zero": -0, "10": [1.0, 1e2], "2": "\\u0041:{}", "__proto__": {"deep": null} }'
  expect(textOf(body)).toBe(body)
})

test('a body that repeats a member name is serialized from the parsed value, which has the last one', () => {
  expect(textOf('{"lat": 1, "other": {"a": 1}, "lat": 2}')).toBe('{"lat":2,"other":{"a":1}}')
  expect(textOf('{"a": {"b": 1, "c": 2}, "a": {}}')).toBe('{"a":{}}')
  expect(textOf('[{"a": 1, "\\u0061": 2}]')).toBe('[{"a":2}]')
  expect(textOf('{"__proto__": 1, "__proto__": {"a": 2}}')).toBe('{"__proto__":{"a":2}}')
})

test('a repeated name is found among many names, similar names and empty names', () => {
  const many = Array.from({ length: 40 }, (_, n) => `"n${n}":${n}`).join(',')
  expect(textOf(`{${many},"n7":0}`)).toBe(textOf(`{${many.replace('"n7":7', '"n7":0')}}`).replace(/\s/g, ''))
  expect(textOf(`{${many}}`)).toBe(`{${many}}`)
  expect(textOf('{"abcdeXgh":1, "abcdeYgh":2}')).toBe('{"abcdeXgh":1, "abcdeYgh":2}')
  expect(textOf('{"abcdeXgh":1, "abcdeYgh":2, "abcdeXgh":3}')).toBe('{"abcdeXgh":3,"abcdeYgh":2}')
  expect(textOf('{"":1, "" :2}')).toBe('{"":2}')
  expect(textOf('{"a":{"b":1},"c":[{"b":1},{"b":2}],"b":{"b":3,"b":4}}')).toBe(
    '{"a":{"b":1},"c":[{"b":1},{"b":2}],"b":{"b":4}}',
  )
})

test('a body with any names and white space is stored as it was sent, unless a name is repeated', () => {
  const name = fc.constantFrom(
    '',
    'a',
    'b',
    'ab',
    'abc',
    'abd',
    'abcd',
    'abcdef',
    'abcdeX',
    'Xbcdef',
    '\\u0061',
    'é',
    'aéb',
    '__proto__',
  )
  const { body } = fc.letrec<{ body: string }>((tie) => ({
    body: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('1', '-0', '1e5', 'true', '"x:{"', `1${'0'.repeat(305)}`),
      fc.array(tie('body'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      fc
        .array(fc.tuple(name, fc.constantFrom(':', ' : '), tie('body')), { maxLength: 5 })
        .map((members) => `{${members.map(([key, colon, value]) => `"${key}"${colon}${value}`).join(',')}}`),
    ),
  }))
  const membersOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, member) => sum + membersOf(member), 0) +
        (Array.isArray(value) ? 0 : Object.keys(value).length)
      : 0
  fc.assert(
    fc.property(body, (sent) => {
      const value: unknown = JSON.parse(sent)
      const written = sent.replaceAll('"x:{"', '').split(':').length - 1
      expect(textOf(sent)).toBe(membersOf(value) === written ? sent : JSON.stringify(value))
    }),
    { numRuns: 2_000 },
  )
})

test('colons and brackets inside strings are not counted', () => {
  const body = '{"a:\\":{": "}:[\\\\"}'
  expect(textOf(body)).toBe(body)
})

test('a byte order mark is ignored and not stored', () => {
  expect(parseJson(Buffer.from('\ufeff{"a": "\ufeff"}'))).toEqual({
    value: { a: '\ufeff' },
    sent: '{"a": "\ufeff"}',
    isVerbatim: true,
  })
})

test('a number beyond the range of doubles is refused with its JSON Pointer', () => {
  for (const [body, pointer] of [
    ['{"x": {"a/b": [0, 1e999]}}', '/x/a~1b/1'],
    ['{"x": -1e999}', '/x'],
    ['{"__proto__": {"x": 1e999}}', '/__proto__/x'],
    ['1e999', ''],
    ['1E999', ''],
    [`1${'0'.repeat(400)}`, ''],
    [`{"x":[0,-1${'0'.repeat(400)}]}`, '/x/1'],
  ] as const) {
    expect(() => textOf(body)).toThrow(
      expect.objectContaining({ code: 'invalid_body', errors: [expect.objectContaining({ pointer })] }),
    )
  }
})

test('32 levels are accepted and 33 are refused', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(textOf(nested(32))).toBe(nested(32))
  expect(() => textOf(nested(33))).toThrow('The body nests deeper than 32 levels, at byte 32')
})

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xc0, 0xaf, 0x22]))).toThrow('not valid UTF-8')
})

/** Members in objects of four. */
function bodyOf(members: number, toName: (n: number) => string): string {
  const objects = Array.from({ length: members / 4 }, (_, at) =>
    Object.fromEntries([0, 1, 2, 3].map((n) => [toName(4 * at + n), 0])),
  )
  return JSON.stringify(objects)
}

test('a body has 4,096 different member names, with any number of members', () => {
  expect(textOf(bodyOf(4_096, (n) => `n${n}`))).toHaveLength(bodyOf(4_096, (n) => `n${n}`).length)
  expect(() => textOf(bodyOf(40_000, (n) => `n${n % 4_096}`))).not.toThrow()
  expect(() => textOf(bodyOf(4_120, (n) => `n${n}`))).toThrow('more than 4096 different member names')
  // Of each body anew.
  expect(() => textOf(bodyOf(4_000, (n) => `m${n}`))).not.toThrow()
  expect(() => textOf(bodyOf(4_000, (n) => `o${n}`))).not.toThrow()
})
