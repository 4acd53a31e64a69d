import { expect, test } from 'vitest'
import { hasInvisible, toLiteralJson, toVisible, toVisibleJson } from '../src/visible.ts'

test.each([
  ['a line break', '\n', '\\u000a'],
  ['an escape character', '\u001b', '\\u001b'],
  ['a C1 control', '\u009b', '\\u009b'],
  ['a soft hyphen', '\u00ad', '\\u00ad'],
  ['a zero-width space', '\u200b', '\\u200b'],
  ['a zero-width joiner', '\u200d', '\\u200d'],
  ['a word joiner', '\u2060', '\\u2060'],
  ['a byte order mark', '\ufeff', '\\ufeff'],
  ['a right-to-left override', '\u202e', '\\u202e'],
  ['an isolate', '\u2066', '\\u2066'],
  ['a line separator', '\u2028', '\\u2028'],
  ['a grapheme joiner', '\u034f', '\\u034f'],
  ['a Hangul filler', '\u3164', '\\u3164'],
  ['a variation selector', '\ufe0f', '\\ufe0f'],
  ['a blank Braille pattern', '\u2800', '\\u2800'],
  ['a tag', '\u{e0041}', '\\ue0041'],
  ['half of a surrogate pair', '\ud83d', '\\ud83d'],
])('%s is invisible, and shown as its number', (_what, character, shown) => {
  expect(hasInvisible(`a${character}b`)).toBe(true)
  expect(toVisible(`a${character}b${character}`)).toBe(`a${shown}b${shown}`)
})

test.each(['Dach Süd', 'Ünsal-Öz', '屋根 1', 'крыша', 'سقف', 'a\u0301', '<b>"&', '\\u200b', '🛰', '🛰️', '👨‍👩‍👧', '1️⃣'])(
  'nothing of %s is escaped',
  (name) => expect(toVisible(name)).toBe(name),
)

const hostile = 'a\u001b[2J\u009b31m\u202e\u2028\u{e0041}é\\u0085"\n'

test('JSON has an escape for each invisible character, and the same values', () => {
  const json = toVisibleJson(JSON.stringify({ name: hostile }, undefined, 2))

  expect(JSON.parse(json)).toEqual({ name: hostile })
  expect(json).toContain('é')
  expect(hasInvisible(json.replaceAll('\n', ''))).toBe(false)
  expect(json.split('\n')).toHaveLength(3)
})

test('JSON for people has the escapes in its values, except for line breaks', () => {
  const line = toLiteralJson(`${JSON.stringify({ name: hostile })}\n`)

  const { name } = JSON.parse(line)
  expect(hasInvisible(name.replaceAll('\n', ''))).toBe(false)
  expect(name).toBe('a\\u001b[2J\\u009b31m\\u202e\\u2028\\udb40\\udc41é\\u0085"\n')
})
