import { expect, test } from 'vitest'
import { parseJson } from '../../src/http/json-body.ts'

function textOf(body: string): string {
  return parseJson(Buffer.from(body)).text
}

test('a body is passed on to the last digit and the last space', () => {
  const body =
    '{ "n": 12345678901234567890.10, "zero": -0, "10": [1.0, 1e2], "2": "\\u0041:{}", "__proto__": {"deep": null} }'
  expect(textOf(body)).toBe(body)
})

test('a body that repeats a name is passed on as what was understood: the last one counts', () => {
  expect(textOf('{"lat": 1, "other": {"a": 1}, "lat": 2}')).toBe('{"lat":2,"other":{"a":1}}')
  expect(textOf('{"a": {"b": 1, "c": 2}, "a": {}}')).toBe('{"a":{}}')
  expect(textOf('[{"a": 1, "\\u0061": 2}]')).toBe('[{"a":2}]')
  expect(textOf('{"__proto__": 1, "__proto__": {"a": 2}}')).toBe('{"__proto__":{"a":2}}')
})

test('colons and brackets inside strings are text', () => {
  const body = '{"a:\\":{": "}:[\\\\"}'
  expect(textOf(body)).toBe(body)
})

test('a byte order mark is neither read nor passed on', () => {
  expect(parseJson(Buffer.from('\ufeff{"a": "\ufeff"}'))).toEqual({ value: { a: '\ufeff' }, text: '{"a": "\ufeff"}' })
})

test('a number beyond the range of doubles is refused, with its place', () => {
  for (const [body, pointer] of [
    ['{"x": {"a/b": [0, 1e999]}}', '/x/a~1b/1'],
    ['{"x": -1e999}', '/x'],
    ['{"__proto__": {"x": 1e999}}', '/__proto__/x'],
    ['1e999', ''],
  ] as const) {
    expect(() => textOf(body)).toThrow(
      expect.objectContaining({ code: 'invalid_body', errors: [expect.objectContaining({ pointer })] }),
    )
  }
})

test('32 levels are followed and 33 are not', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(textOf(nested(32))).toBe(nested(32))
  expect(() => textOf(nested(33))).toThrow('The body nests deeper than 32 levels, at byte 32')
})

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xc0, 0xaf, 0x22]))).toThrow('not valid UTF-8')
})
