import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mendReport } from '../../../src/reports/mend/mend-report.ts'
import { aPosition, aReport } from '../../a-report.ts'

const coordinates = { lat: 60.31721, lon: 24.9633 }

/** Mends a report of one position. */
function mended(position: object): { position: unknown; mended: readonly string[] } {
  const { value, mended } = mendReport({ positions: [position] })
  const [first] = (value as { positions: unknown[] }).positions
  return { position: first, mended }
}

describe('the coordinates', () => {
  test.each([
    [{ lat: 60.31721, lng: 24.9633 }, ['/positions/0/position/lng']],
    [{ lat: 60.31721, Lon: 24.9633 }, ['/positions/0/position/Lon']],
    [{ lat: 60.31721, long: 24.9633 }, ['/positions/0/position/long']],
    [{ latitude: 60.31721, longitude: 24.9633 }, ['/positions/0/position/latitude', '/positions/0/position/longitude']],
  ])('in %j become lat and lon', (position, pointers) => {
    expect(mended({ ...aPosition(), position })).toEqual({
      position: aPosition({ position: coordinates }),
      mended: pointers,
    })
  })

  test('keep a member "lng" if there is a lon', () => {
    const position = { ...aPosition(), position: { ...coordinates, lng: 1 } }
    expect(mended(position)).toEqual({ position, mended: [] })
  })

  test('of the sensor are also mended', () => {
    const located = (geographicPosition: object) =>
      aReport({ sensor: { id: 'roof1', sensorPosition: { geographicPosition } } as never })
    expect(mendReport(located({ lat: 1, lng: 2 }))).toEqual({
      value: located({ lat: 1, lon: 2 }),
      mended: ['/sensor/sensorPosition/geographicPosition/lng'],
    })
  })
})

test('id and sourceTimeStamp are moved out of the member "position"', () => {
  const { id, sourceTimeStamp } = aPosition()
  expect(mended({ position: { ...coordinates, id, sourceTimeStamp } })).toEqual({
    position: aPosition(),
    mended: ['/positions/0/position/id', '/positions/0/position/sourceTimeStamp'],
  })
  const own = { ...aPosition(), position: { ...coordinates, id: 'another' } }
  expect(mended(own)).toEqual({ position: own, mended: [] })
})

describe('a time', () => {
  test.each([
    ['2026-1-7T9:05:3Z', '2026-01-07T09:05:03Z'],
    ['2026-01-07T12:00:3.25Z', '2026-01-07T12:00:03.25Z'],
    ['2026-1-07t12:00:30', '2026-01-07t12:00:30'],
    ['2026-1-7T12:00:30.5+2:00', '2026-01-07T12:00:30.5+02:00'],
    ['2026-01-07T12:00:30-5:30', '2026-01-07T12:00:30-05:30'],
  ])('%s gets its zeros: %s', (sourceTimeStamp, meant) => {
    expect(mended(aPosition({ sourceTimeStamp }))).toEqual({
      position: aPosition({ sourceTimeStamp: meant }),
      mended: ['/positions/0/sourceTimeStamp'],
    })
  })

  test.each([
    '2026-01-07',
    '26-1-7T9:05:3Z',
    'yesterday',
    '2026-01-07T12:00:30Z',
    '2026-01-07T12:00:30.5+02:00',
    '1767787230',
  ])('%s is not changed', (sourceTimeStamp) => expect(mended(aPosition({ sourceTimeStamp })).mended).toEqual([]))

  test('that is inside "position" and lacks zeros is moved and gets its zeros', () => {
    expect(mended({ id: 'a', position: { ...coordinates, sourceTimeStamp: '2026-1-7T9:05:3Z' } })).toEqual({
      position: { id: 'a', sourceTimeStamp: '2026-01-07T09:05:03Z', position: coordinates },
      mended: ['/positions/0/position/sourceTimeStamp'],
    })
  })
})

describe('additional information', () => {
  test('in a JSON string is replaced by the object, wherever it is allowed', () => {
    const info = '{"squawk":"7000","__proto__":{"x":1}}'
    const { value, mended: pointers } = mendReport({
      sensor: { id: 'roof1', additionalInfo: info },
      positions: [{ ...aPosition(), additionalInfo: info, target: { additionalInfo: info } }],
    })
    expect(pointers).toEqual([
      '/sensor/additionalInfo',
      '/positions/0/additionalInfo',
      '/positions/0/target/additionalInfo',
    ])
    expect(JSON.stringify(value)).toContain(`"target":{"additionalInfo":${info}}`)
  })

  test.each(['', 'squawk 7000', '[1]', '"text"', 'null', '{"a":1e999}', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`])(
    '%j is not changed',
    (additionalInfo) => expect(mended({ ...aPosition(), additionalInfo }).mended).toEqual([]),
  )
})

test('a valid example of the OpenAPI document is returned as the same object', () => {
  const example: unknown = JSON.parse(
    readFileSync(new URL('../../../../../openapi/examples/PositionReport.json', import.meta.url), 'utf8'),
  )
  expect(mendReport(example)).toEqual({ value: example, mended: [] })
  expect(mendReport(example).value).toBe(example)
})

test('no invalid example causes an error, and a mended example is not mended again', () => {
  const folder = new URL('../../../../../openapi/examples/invalid/PositionReport/', import.meta.url)
  const files = readdirSync(folder)
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const { value } = mendReport(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    expect(mendReport(value).mended).toEqual([])
  }
})

describe('for any JSON value', () => {
  const names = fc.constantFrom(
    'id',
    'sourceTimeStamp',
    'position',
    'positions',
    'sensor',
    'lat',
    'lng',
    'lon',
    'Latitude',
    'additionalInfo',
    'target',
    '__proto__',
  )
  const texts = fc.oneof(fc.string(), fc.constantFrom('2026-1-7T9:05:3Z', '{"a":1}', '2026-01-07T12:00:30Z'))
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      texts,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('members'),
    ),
    members: fc.dictionary(names, tie('value'), { maxKeys: 5 }),
  }))
  const reports = fc.record(
    { positions: fc.array(fc.dictionary(names, values, { maxKeys: 6 }), { maxLength: 3 }), sensor: values },
    { requiredKeys: [] },
  )

  test('the input is not changed, and a mended value needs no mending', () => {
    fc.assert(
      fc.property(fc.oneof(values, reports), (given) => {
        const before = structuredClone(given)
        const once = mendReport(given)
        expect(given).toEqual(before)
        expect(mendReport(once.value)).toEqual({ value: once.value, mended: [] })
        if (once.mended.length === 0) expect(once.value).toBe(given)
      }),
    )
  })
})
