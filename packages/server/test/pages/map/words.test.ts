import { expect, test } from 'vitest'
import { toLostText, toName, toPositionsText } from '../../../src/pages/map/model/words.ts'

test('a connection that is lost before the first frame is said without a time', () => {
  expect(toLostText(Number.NaN)).toBe('The connection to the server is lost. The map continues when it is back.')
})

test('a connection that is lost later is said with the time of the picture', () => {
  expect(toLostText(Date.UTC(2026, 0, 7, 12))).toMatch(
    /lost\. This is the picture of \d\d:\d\d:\d\d\. The map continues/,
  )
})

test.each([
  ['its call sign', ['ICAO', 'Registration', 'CallSign'], 'CallSign'],
  ['its registration', ['SerialNumber', 'ICAO', 'Registration'], 'Registration'],
  ['its ICAO address', ['SerialNumber', 'ICAO'], 'ICAO'],
  ['its serial number', ['IMEI', 'SerialNumber'], 'SerialNumber'],
  ['its ID', ['IMEI'], 't1f'],
])('a target is named by %s before what follows', (_name, types, expected) => {
  expect(toName({ id: 't1f', identifiers: types.map((type) => ({ id: type, type })) })).toBe(expected)
})

test('one position is singular', () => {
  expect([0, 1, 1_200].map(toPositionsText)).toEqual(['0 positions', '1 position', '1,200 positions'])
})
