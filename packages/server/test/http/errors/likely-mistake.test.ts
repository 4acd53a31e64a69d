import { expect, test } from 'vitest'
import { likelyMistake } from '../../../src/http/errors/likely-mistake.ts'

test.each([
  ['/positions/0/position/lon', { positions: [{ position: { lat: 1, lng: 2 } }] }, '"lng"'],
  ['/positions/0/position/lat', { positions: [{ position: { Latitude: 1 } }] }, '"Latitude"'],
  ['/positions/0/sourceTimeStamp', { positions: [{ source_timestamp: '' }] }, '"source_timestamp"'],
  ['/positions/0/sourceTimeStamp', { positions: [{ timestamp: '' }] }, '"timestamp"'],
  ['/positions', { Positions: [] }, '"Positions"'],
  ['/positions/1/id', { positions: [{}, { position: { id: 'x' } }] }, 'inside "position"'],
])('"%s" missing from %j is explained', (pointer, body, hint) => {
  expect(likelyMistake(pointer, body)).toContain(hint)
})

test.each([
  ['/positions/0/id', { positions: [{}] }],
  ['/positions', []],
  ['/positions', null],
  ['/positions', undefined],
  ['/constructor/prototype/lon', {}],
])('"%s" missing from %j is not explained', (pointer, body) => {
  expect(likelyMistake(pointer, body)).toBe('')
})
