import { expect, test } from 'vitest'
import { createSbsMapper, type SbsMapperOptions } from '../../../src/sources/adsb/sbs.ts'

const velocity = 'MSG,4,1,1,461F67,1,2026/01/07,06:32:45.018,2026/01/07,06:32:45.018,,,455,296,,,1088,,,,,0'
const callSign = 'MSG,1,1,1,461F67,1,2026/01/07,06:32:44.500,2026/01/07,06:32:44.500,FIN5LA  ,,,,,,,,,,,'
const position =
  'MSG,3,1,1,461F67,1,2026/01/07,06:32:45.518,2026/01/07,06:32:45.518,,26450,,,61.111031,22.489827,,,0,,0,0'
const surface = 'MSG,2,1,1,461E1A,1,2026/01/07,06:32:45.071,2026/01/07,06:32:45.071,,,0,,60.310321,24.942251,,,,,,-1'

test('call sign, velocity and position of one aircraft become one position in SI units', () => {
  const [, , mapped] = map([callSign, velocity, position])

  // 26450 ft x 0.3048; 455 kt x 1852/3600 = 234.0722 m/s, x sin 296 = -0.898794, x cos 296 = 0.438371; 1088 x 0.00508.
  expect(mapped).toEqual({
    id: '461f67-1767767565518',
    sourceTimeStamp: '2026-01-07T06:32:45.518Z',
    target: {
      sourceId: '461F67',
      type: 'aa:target:aircraft',
      ids: [
        { id: '461F67', type: 'ICAO' },
        { id: 'FIN5LA', type: 'CallSign' },
      ],
    },
    position: { lat: 61.111031, lon: 22.489827 },
    altitudes: [{ height: 8061.96, datum: 'bar' }],
    groundVelocity: { x: -210.383, y: 102.611, z: 5.52704, age: 0.5 },
    onGround: false,
  })
})

test('only lines with latitude and longitude become positions', () => {
  const mapper = createSbsMapper()
  expect([callSign, velocity].map(mapper.map)).toEqual([undefined, undefined])
  expect(mapper.counters()).toMatchObject({ lines: 2, positions: 0, withoutPosition: 2, unparsable: 0 })
})

test('the first position of an aircraft has coordinates, altitude and address', () => {
  const [mapped] = map([position])
  expect(Object.keys(mapped ?? {})).toEqual(['id', 'sourceTimeStamp', 'target', 'position', 'altitudes', 'onGround'])
  expect(mapped?.target?.ids).toEqual([{ id: '461F67', type: 'ICAO' }])
})

test.each([
  [0, { x: 0, y: 51.444 }],
  [90, { x: 51.444, y: 0 }],
  [180, { x: 0, y: -51.444 }],
  [270, { x: -51.444, y: 0 }],
  [45, { x: 36.377, y: 36.377 }],
])('100 knots on track %i are %j metres per second', (track, expected) => {
  const [, mapped] = map([velocity.replace('455,296', `100,${track}`).replace('1088', ''), position])
  expect(mapped?.groundVelocity).toEqual({ ...expected, age: 0.5 })
})

test('the vertical rate of a descent is negative', () => {
  const [, mapped] = map([velocity.replace('1088', '-1216'), position])
  expect(mapped?.groundVelocity?.z).toBe(-6.17728)
})

test('a velocity line with only the vertical rate keeps the previous speed', () => {
  const vertical = velocity.replace('455,296', ',').replace('1088', '64').replaceAll('45.018', '45.218')
  const [, , mapped] = map([velocity, vertical, position])
  expect(mapped?.groundVelocity).toEqual({ x: -210.383, y: 102.611, z: 0.32512, age: 0.5 })
})

test('values older than the window are not added, except the call sign', () => {
  const late = position.replaceAll('06:32:45.518', '06:32:55.519')
  const [, , mapped] = map([callSign, velocity, late])
  expect(mapped?.groundVelocity).toBeUndefined()
  expect(mapped?.target?.ids).toContainEqual({ id: 'FIN5LA', type: 'CallSign' })

  const [, , joined] = map([callSign, velocity, late], { mergeWindowMs: 10_501 })
  expect(joined?.groundVelocity).toMatchObject({ x: -210.383, age: 10.501 })
})

test('an aircraft without a line for a minute is forgotten', () => {
  const [, mapped] = map([callSign, position.replaceAll('06:32:45.518', '06:33:44.501')])
  expect(mapped?.target?.ids).toEqual([{ id: '461F67', type: 'ICAO' }])
})

test('values of different aircraft are not mixed', () => {
  const [, mapped] = map([velocity, position.replace('461F67', '461F68')])
  expect(mapped?.groundVelocity).toBeUndefined()
})

test('a surface position is at the ground and does not climb; without a track its velocity is known only at speed 0', () => {
  const [standing] = map([surface])
  expect(standing).toMatchObject({
    onGround: true,
    groundVelocity: { x: 0, y: 0, z: 0 },
    position: { lat: 60.310321, lon: 24.942251 },
  })
  expect(standing?.altitudes).toEqual([{ height: 0, datum: 'agl' }])
  const [rolling] = map([surface.replace(',0,,60', ',6,,60')])
  expect(rolling?.groundVelocity).toEqual({ z: 0 })
  const [taxiing] = map([surface.replace(',0,,60', ',10,90,60')])
  expect(taxiing?.groundVelocity).toEqual({ x: 5.144, y: 0, z: 0 })
})

test('without the ground flag a surface position is on the ground, and for others it is unknown', () => {
  expect(map([surface.replace(/-1$/, '')])[0]?.onGround).toBe(true)
  expect(map([position.replace(/0$/, '')])[0]).not.toHaveProperty('onGround')
})

test('after touchdown the velocity and the altitude of the flight are not added', () => {
  const [, , mapped] = map([
    velocity,
    position,
    surface.replace('461E1A', '461F67').replace(',0,,60', ',120,,60').replaceAll('45.071', '46.071'),
  ])
  expect(mapped?.onGround).toBe(true)
  expect(mapped?.groundVelocity).toEqual({ z: 0 })
  expect(mapped?.altitudes).toEqual([{ height: 0, datum: 'agl' }])
})

test('zero and negative altitudes are valid', () => {
  expect(map([position.replace('26450', '0')])[0]?.altitudes).toEqual([{ height: 0, datum: 'bar' }])
  expect(map([position.replace('26450', '-100')])[0]?.altitudes).toEqual([{ height: -30.48, datum: 'bar' }])
})

test('an address that ICAO did not assign has the type NonICAO', () => {
  const [mapped] = map([position.replace('461F67', '~2b0d0d')])
  expect(mapped).toMatchObject({
    id: '~2b0d0d-1767767565518',
    target: { sourceId: '~2B0D0D', ids: [{ id: '2B0D0D', type: 'NonICAO' }] },
  })
})

test('line ends, blank lines and other types of SBS lines are ignored', () => {
  const mapper = createSbsMapper()
  for (const line of [
    '',
    ' ',
    'STA,,5,179,400AE7,10103,2008/11/28,14:58:51.153,2008/11/28,14:58:51.153,RM',
    `${position}\r`,
  ])
    mapper.map(line)
  expect(mapper.counters()).toMatchObject({ lines: 2, positions: 1, withoutPosition: 1, unparsable: 0 })
})

test.each([
  ['unreadable', 'hello'],
  ['unreadable', '{"id":"1"}'],
  ['unreadable', 'MSG'],
  ['unreadable', 'MSG,3'],
  ['unreadable', position.replace('MSG,3', 'MSG,9')],
  ['no_identifier', position.replace('461F67', '461F6')],
  ['no_identifier', position.replace('461F67', 'GGGGGG')],
  ['no_identifier', position.replace('461F67', '000000')],
  ['no_time', position.replaceAll('2026/01/07', '2026/02/30')],
  ['no_time', position.replaceAll('06:32', '25:32')],
  ['impossible_place', position.replace('61.111031', '91')],
  ['impossible_place', position.replace('22.489827', '-180.1')],
  ['unreadable', position.replace('61.111031,22.489827', '61,111031,22,489827')],
  ['unreadable', position.replace('61.111031,22.489827', '61,11,22,48')],
  ['unreadable', position.replaceAll('45.518', '45,518')],
  ['no_place', position.replace('22.489827', 'NaN')],
  ['no_place', position.replace('22.489827', '')],
  ['null_island', position.replace('61.111031,22.489827', '0.00000,0.00000')],
  ['unreadable', ','.repeat(2_000)],
])('%s: the line %j is counted and ignored, in every time zone', (reason, line) => {
  for (const timeZone of ['UTC', 'Europe/Helsinki']) {
    const mapper = createSbsMapper({ timeZone })
    expect(mapper.map(line)).toBeUndefined()
    expect(mapper.counters()).toMatchObject({ lines: 1, positions: 0, unparsable: 1, reasons: { [reason]: 1 } })
    expect(mapper.map(position)).toBeDefined()
  }
})

test('the number of remembered aircraft is limited', () => {
  const mapper = createSbsMapper()
  mapper.map(callSign)
  for (let address = 0; address < 9_999; address += 1) {
    mapper.map(velocity.replace('461F67', address.toString(16).padStart(6, '0')))
  }
  mapper.map(velocity.replace('461F67', 'ABCDEF'))
  expect(mapper.map(position)?.target?.ids).toEqual([{ id: '461F67', type: 'ICAO' }])
})

test.each([
  ['UTC', '2026-01-07T06:32:45.518Z'],
  ['Europe/Helsinki', '2026-01-07T04:32:45.518Z'],
  ['+05:30', '2026-01-07T01:02:45.518Z'],
  ['America/New_York', '2026-01-07T11:32:45.518Z'],
])('dates in %s are converted', (timeZone, expected) => {
  expect(map([position], { timeZone })[0]?.sourceTimeStamp).toBe(expected)
})

test.each([
  ['a summer day', '2026/07/01', '12:00:00.000', '2026-07-01T09:00:00.000Z'],
  ['the last millisecond of winter time', '2026/03/29', '02:59:59.999', '2026-03-29T00:59:59.999Z'],
  ['the first millisecond of summer time', '2026/03/29', '04:00:00.000', '2026-03-29T01:00:00.000Z'],
  ['the last millisecond of summer time, the first of two', '2026/10/25', '03:59:59.999', '2026-10-25T00:59:59.999Z'],
  ['after the repeated hour', '2026/10/25', '04:00:00.000', '2026-10-25T02:00:00.000Z'],
])('Helsinki time of %s is converted', (_, date, time, expected) => {
  const line = position.replaceAll('2026/01/07', date).replaceAll('06:32:45.518', time)
  expect(map([line], { timeZone: 'Europe/Helsinki' })[0]?.sourceTimeStamp).toBe(expected)
})

test('a time zone that does not exist throws at creation', () => {
  expect(() => createSbsMapper({ timeZone: 'Mars/Olympus' })).toThrow(RangeError)
})

function map(lines: string[], options?: SbsMapperOptions) {
  return lines.map(createSbsMapper(options).map)
}

/** Values computed by hand: 1 ft = 0.3048 m, 1 kt = 1852/3600 m/s, 1 ft/min = 0.00508 m/s. */
const at = (type: number, fields: string, time = '06:32:45.518') =>
  `MSG,${type},1,1,~2B0D0D,1,2026/01/07,${time},2026/01/07,${time},${fields}`

test('a line of a multilateration server has everything in one line', () => {
  const [mapped] = map([at(3, 'DLH9CK,3000,100,90,50.05,8.58,-768,1000,0,0,0,0')])

  expect(mapped).toMatchObject({
    target: {
      ids: [
        { id: '2B0D0D', type: 'NonICAO' },
        { id: 'DLH9CK', type: 'CallSign' },
      ],
      additionalInfo: { squawk: '1000' },
    },
    position: { lat: 50.05, lon: 8.58 },
    altitudes: [{ height: 914.4, datum: 'bar' }],
    groundVelocity: { x: 51.444, y: 0, z: -3.90144 },
    onGround: false,
  })
})

test('a position line without altitude takes the one of the latest answer to radar', () => {
  const [, , mapped] = map([
    at(5, ',7000,,,,,,,0,,0,', '06:32:44.018'),
    at(7, ',7025,,,,,,,,,,', '06:32:44.518'),
    at(3, ',,,,50.05,8.58,,,0,,0,0'),
  ])

  expect(mapped?.altitudes).toEqual([{ height: 2_141.22, datum: 'bar', age: 1 }])
})

test('the speed and track that a decoder guesses from answers to radar are not used', () => {
  const [, mapped] = map([at(6, ',,214,5,,,,1407,0,0,0,'), at(3, ',7025,,,50.05,8.58,,,0,,0,0')])

  expect(mapped?.groundVelocity).toBeUndefined()
  expect(mapped?.target?.additionalInfo).toEqual({ squawk: '1407' })
})

test('speed, vertical rate and position of three lines are merged, with the age of the oldest', () => {
  const [, , mapped] = map([
    at(4, ',,200,180,,,,,,,,0', '06:32:43.518'),
    at(4, ',,,,,,64,,,,,0', '06:32:44.518'),
    at(3, ',7025,,,50.05,8.58,,,0,,0,0'),
  ])

  expect(mapped?.groundVelocity).toEqual({ x: 0, y: -102.889, z: 0.32512, age: 2 })
})

test('a position that a second receiver repeats at the same time is reported once', () => {
  const mapper = createSbsMapper()
  const line = at(3, ',7025,,,50.05,8.58,,,0,,0,0')

  expect([line, line].map(mapper.map).filter(Boolean)).toHaveLength(1)
})

test('a line that ends before its longitude is no position', () => {
  const whole = position.indexOf(',22.489827')

  for (let length = 1; length <= whole; length += 1)
    expect(createSbsMapper().map(position.slice(0, length)), `${length} characters`).toBeUndefined()
})

const nowMs = Date.UTC(2026, 0, 7, 6, 32, 46)

/** As a source reads them, at the time of the lines. */
function receive(lines: string[], options?: SbsMapperOptions) {
  const partial: string[] = []
  const mapper = createSbsMapper({ receivedAtMs: () => nowMs, onPartial: (part) => partial.push(part), ...options })
  const positions = lines.map(mapper.map).filter((mapped) => mapped !== undefined)
  return { ...mapper.counters(), positions, partial }
}

test('dialects of receivers are read', () => {
  const place = { position: { lat: 61.111031, lon: 22.489827 } }
  const [aboveEllipsoid] = map([position.replace('26450', '26450H')])
  expect(aboveEllipsoid?.altitudes).toEqual([{ height: 8061.96, datum: 'wgs84' }])
  const [spaced] = map([position.replace('26450', '26450 H')])
  expect(spaced?.altitudes).toEqual(aboveEllipsoid?.altitudes)
  const [singleDigits] = map([position.replaceAll('2026/01/07,06:32', '2026/1/7,6:32')])
  expect(singleDigits?.sourceTimeStamp).toBe('2026-01-07T06:32:45.518Z')
  const [sevenDigits] = map([position.replace('461F67', '12B0D0D')])
  expect(sevenDigits?.target?.ids).toEqual([{ id: '2B0D0D', type: 'NonICAO' }])
  const [sixteen] = map([position.slice(0, position.indexOf(',,,0,,0,0'))])
  expect(sixteen).toMatchObject(place)
  const [quoted] = map([position.replace('.518,,26450', '.518,"TEST,1",26450')])
  expect(quoted).toMatchObject({ ...place, target: { ids: [{}, { id: 'TEST,1', type: 'CallSign' }] } })
  const [exponent] = map([position.replace('26450,,', '26450,1.2e2,90')])
  expect(exponent?.groundVelocity).toMatchObject({ x: 61.733, y: 0 })
  const [padded] = map([position.replace('461F67', '461F67\0\0')])
  expect(padded?.target?.sourceId).toBe('461F67')
})

test('a field that cannot be read is left out and told, and the position stays', () => {
  const { positions, partial } = receive([position.replace('26450,,', 'nan,fast,400')])

  expect(positions).toMatchObject([{ position: { lat: 61.111031 } }])
  expect(positions[0]).not.toHaveProperty('altitudes')
  expect(partial).toEqual(['speed', 'track', 'altitude'])
})

test('a negative speed is none', () => {
  const { positions, partial } = receive([position.replace('26450,,', '26450,-5,90')])

  expect(positions).toHaveLength(1)
  expect(positions[0]).not.toHaveProperty('groundVelocity')
  expect(partial).toEqual(['speed'])
})

test('a receiver whose clock was never set has the time of reception', () => {
  const { positions, partial } = receive([position.replaceAll('2026/01/07', '1970/01/01')])

  expect(positions[0]?.sourceTimeStamp).toBe('2026-01-07T06:32:46.000Z')
  expect(partial).toEqual(['time'])
})

const [generated, logged] = ['2026/01/07,06:32:45.518', '2026/01/07,06:32:45.600']
const timed = (first: string, second: string) => position.replace(`${generated},${generated}`, `${first},${second}`)

test('the time is when the message was generated, else when it was logged, else when it was received, which the position says', () => {
  const lines = [timed(generated, logged), timed(',', logged), timed(',', ','), timed('soon,', ',later')]

  const { positions, partial } = receive(lines)

  expect(positions.map(({ sourceTimeStamp }) => sourceTimeStamp)).toEqual([
    '2026-01-07T06:32:45.518Z',
    '2026-01-07T06:32:45.600Z',
    '2026-01-07T06:32:46.000Z',
  ])
  expect(positions.map(({ target }) => target?.additionalInfo)).toEqual([undefined, undefined, { timeSource: 'agent' }])
  expect(partial).toEqual(['time'])
})

test('one line that is far ahead of the others has the time of reception; the lines after it keep theirs', () => {
  const second = (at: number) => position.replaceAll('06:32:45.518', `06:32:4${at}.000`).replace('61.1110', `61.1${at}`)
  const { positions, partial } = receive([second(1), second(2).replaceAll('2026/', '2126/'), second(3)])

  expect(positions.map(({ sourceTimeStamp }) => sourceTimeStamp)).toEqual([
    '2026-01-07T06:32:41.000Z',
    '2026-01-07T06:32:46.000Z',
    '2026-01-07T06:32:43.000Z',
  ])
  expect(partial).toEqual(['time'])
})

test('a receiver whose clock stays ahead is believed', () => {
  const lines = [1, 2, 3, 4, 5].map((at) => position.replaceAll('06:32:45.518', `08:32:4${at}.000`))

  const times = receive(lines).positions.map(({ sourceTimeStamp }) => sourceTimeStamp)

  expect(times.slice(-2)).toEqual(['2026-01-07T08:32:44.000Z', '2026-01-07T08:32:45.000Z'])
})

test('two places at one time are two positions with ids of their own, and each is known again', () => {
  const other = position.replace('61.111031', '61.111999')
  const { positions, repetitions } = receive([position, other, position, other])

  expect(new Set(positions.map(({ id }) => id)).size).toBe(2)
  expect(repetitions).toBe(2)
})

test('what another port of the receiver sends is named', () => {
  const told: string[] = []
  const mapper = createSbsMapper({ onUnusable: (_, message) => told.push(message) })
  for (const line of ['*8D461F6758C382D690C8AC2863A7;', '\x1a2\x00\x1b[31m', '{"now":1}']) mapper.map(line)

  expect(told).toEqual([
    'raw messages (AVR), not SBS lines, which are usually on port 30003: *8D461F6758C382D690C8AC2863A7;',
    'the Beast format, not SBS lines, which are usually on port 30003: \\x1a2\\x00\\x1b[31m',
    'JSON, not an SBS line: {"now":1}',
  ])
})

test('a line of MLAT has the source mlat', () => {
  const line =
    'MLAT,3,1,1,461F67,1,2026/01/07,06:32:45.518,2026/01/07,06:32:45.518,,26450,,,61.111031,22.489827,,,0,,0,0'

  expect(createSbsMapper().map(line)?.position).toEqual({ lat: 61.111031, lon: 22.489827, source: 'mlat' })
})
