import { expect, test } from 'vitest'
import { likelyMistake, likelyMistakeIn } from '../../../src/http/errors/likely-mistake.ts'

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

test.each<[string, unknown, string]>([
  ['sourceTimeStamp', '2026-01-07T12:00:30+0200', '; did you mean the offset "+02:00"?'],
  ['sourceTimeStamp', '2026-01-07T12:00:30.250-05', '; did you mean the offset "-05:00"?'],
  ['sourceTimeStamp', '2026-01-07T12:00:30,5Z', '; did you mean a point where it has a comma?'],
  ['sourceTimeStamp', '2026-01-07T24:00:00Z', '; did you mean "00:00:00" of the next day?'],
  ['sourceTimeStamp', '2026-1-7T9:05:3Z', '; did you leave out leading zeros?'],
  ['sourceTimeStamp', '2026-01-07 12:00:30Z', '; did you mean "T" between the date and the time?'],
  ['sourceTimeStamp', 1767787230, '; it is a number since 1970: send it as a date and time'],
  ['sourceTimeStamp', '1767787230.25', '; it is a number since 1970: send it as a date and time'],
  ['sourceTimeStamp', '2026-02-30T12:00:30Z', ''],
  ['sourceTimeStamp', 'yesterday', ''],
  ['lat', '60,3', '; send the number itself, without quotation marks, and a decimal point'],
  ['height', ' -12.5 ', '; send the number itself, without quotation marks'],
  ['lat', 'north', ''],
  ['datum', 'MSL', '; did you mean "msl"?'],
  ['datum', 'AMSL', '; did you mean "msl"?'],
  ['datum', 'geoid', ''],
  ['type', 'drone', '; did you mean "aa:target:drone"?'],
  ['type', 'AA:Target:Aircraft', '; did you mean "aa:target:aircraft"?'],
  ['type', 7, ''],
])('a wrong value of "%s", %j, has the hint "%s"', (name, value, hint) => {
  expect(likelyMistakeIn(`/positions/0/${name}`, { positions: [{ [name]: value }] })).toBe(hint)
})

test.each<[unknown, string]>([
  [[{ id: '1' }], '; it is a list: did you mean {"positions": [ … ]}?'],
  ['{"positions":[]}', '; it is a text: send the object itself, not its JSON in a string'],
  [7, ''],
  [null, ''],
])('a body that is %j has the hint "%s"', (body, hint) => {
  expect(likelyMistakeIn('', body)).toBe(hint)
})
