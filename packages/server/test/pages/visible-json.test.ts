import { expect, test } from 'vitest'
import { parseVisible } from '../../src/pages/map/feed/visible-json.ts'

test.each([
  ['as it is', JSON.stringify({ names: ['FIN\u202e5LA'] })],
  ['with an escape', String.raw`{"names":["FIN\u202e5LA"]}`],
])('a character that turns a name around is visible, written %s', (_name, json) => {
  expect(parseVisible(json)).toEqual({ names: [String.raw`FIN\u202e5LA`] })
})

test('a name that is visible stays as it is', () => {
  const content = { names: ['Kärkölä mast 2', '🚁'], height: 12 }
  expect(parseVisible(JSON.stringify(content))).toEqual(content)
})
