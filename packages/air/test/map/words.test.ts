import { expect, test } from 'vitest'
import { inUnits, toAltitudeText, toLostText, toName, toPositionsText } from '../../src/map/model/words.ts'

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

test.each([
  [914.4, undefined, '3,000 ft'],
  [152, 'agl', '500 ft'],
  [10_668, 'bar', 'FL350'],
  [10_668, 'msl', '35,000 ft'],
  [3_048, 'bar', '10,000 ft'],
] as const)('%d m, datum %s, is %s in aviation units', (metres, datum, text) => {
  expect(toAltitudeText(metres, 'aviation', datum)).toBe(text)
})

test.each([
  [
    'DEMO1 and FIN5LA pass within 1852 m and 152 m of altitude in 9 s',
    'DEMO1 and FIN5LA pass within 1 NM and 500 ft of altitude in 9 s',
  ],
  ['A within 5 m and B are within 230 m', 'A within 5 m and B are within 750 ft'],
  [
    'A and B passed within 93 m and 30 m of altitude and move apart; the altitudes are converted, to about 61 m',
    'A and B passed within 310 ft and 100 ft of altitude and move apart; the altitudes are converted, to about 200 ft',
  ],
  [
    'A (t1) and A (t2) both have the ICAO A and are 40 km apart',
    'A (t1) and A (t2) both have the ICAO A and are 22 NM apart',
  ],
  ['FIN5LA: climb 300 m', 'FIN5LA: climb 980 ft'],
  ['FIN5LA: slow down by 20 m/s, almost to a stop', 'FIN5LA: slow down by 39 kt, almost to a stop'],
  ['FIN5LA: turn 15 degrees to the left', 'FIN5LA: turn 15 degrees to the left'],
])('"%s" in aviation units', (sentence, expected) => {
  expect(inUnits(sentence, 'metric')).toBe(sentence)
  expect(inUnits(sentence, 'aviation')).toBe(expected)
})
