import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidExamples, validExamples } from './example-files.ts'
import { createServerValidator, type ServerValidator } from './server-errors.ts'
import { findValidatorErrors } from './validator-errors.ts'

let server: ServerValidator

beforeAll(async () => {
  server = await createServerValidator()
})

afterAll(() => server.close())

/** The pointers from both validators, which must agree. */
async function findErrors(schema: string, text: string): Promise<string[]> {
  const byServer = await server.findErrors(schema, text)
  expect(findValidatorErrors(schema, JSON.parse(text))).toEqual(byServer)
  return byServer
}

test.each(validExamples())(
  'the example of $schema is accepted by the server and by the validators',
  async (example) => {
    expect(await findErrors(example.schema, example.text)).toEqual([])
  },
)

describe.each(Object.entries(Object.groupBy(invalidExamples(), ({ schema }) => schema)))(
  '%s',
  (schema, examples = []) => {
    test.each(examples)(
      '$name is refused at "$pointer" by the server and by the validators',
      async ({ pointer, text }) => {
        expect(await findErrors(schema, text)).toContain(pointer)
      },
    )
  },
)

test('1000 positions are accepted, and more are refused', async () => {
  const position = { id: '1', sourceTimeStamp: '2026-01-07T12:00:30Z', position: { lat: 60.3, lon: 24.9 } }
  const report = (count: number) => JSON.stringify({ positions: Array(count).fill(position) })

  expect(await findErrors('PositionReport', report(1001))).toEqual(['/positions'])
  expect(await findErrors('PositionReport', report(1000))).toEqual([])
})

const edges: Record<string, object> = {
  'the poles and the date line': { position: { lat: 90, lon: -180 } },
  'the south pole': { position: { lat: -90, lon: 180 } },
  'minus zero': { position: { lat: -0, lon: -0 } },
  'an ID of 255 characters outside the basic plane': { id: '🛩'.repeat(255) },
  'heading 0': { heading: 0 },
  'heading 360': { heading: 360 },
  'confidence 1 with a decimal point': { target: { confidence: 1.0 } },
  'confidence 100': { target: { confidence: 100 } },
  'the largest number': { groundVelocity: { x: Number.MAX_VALUE, y: -Number.MAX_VALUE, z: Number.MIN_VALUE } },
  'a vector source that is a number': { groundVelocity: { source: 3 } },
  'empty objects and lists': { target: {}, altitudes: [], groundVelocity: {}, additionalInfo: {} },
  'unknown members': { somethingNew: { deep: [1, { er: null }] }, position: { lat: 1, lon: 2, alt: '3' } },
  'members with the names of Object.prototype': { constructor: 1, hasOwnProperty: null, toString: [] },
  'a time without offset': { sourceTimeStamp: '2026-01-07T12:00:30' },
  'a time in lower case': { sourceTimeStamp: '2026-01-07t12:00:30z' },
  'a time with nine digits of fraction': { sourceTimeStamp: '2026-01-07T12:00:30.123456789+23:59' },
  'an unknown local offset': { sourceTimeStamp: '2026-01-07T12:00:30-00:00' },
  'the first and the last year': { sourceTimeStamp: '0001-01-01T00:00:00Z' },
  'the last time': { sourceTimeStamp: '9999-12-31T23:59:59.999999999-23:59' },
  'a leap day': { sourceTimeStamp: '2000-02-29T12:00:00Z' },
  'a leap second': { sourceTimeStamp: '2016-12-31T23:59:60Z' },
  'a leap second with an offset': { sourceTimeStamp: '2017-01-01T05:29:60.5+05:30' },
}

test.each(Object.entries(edges))('a report is accepted with %s', async (_edge, members) => {
  const position = { id: '1', sourceTimeStamp: '2026-01-07T12:00:30Z', position: { lat: 60.3, lon: 24.9 }, ...members }

  expect(await findErrors('PositionReport', JSON.stringify({ positions: [position] }))).toEqual([])
})

test('a report is accepted with __proto__ as plain data', async () => {
  const text = `{"positions":[{"id":"1","sourceTimeStamp":"2026-01-07T12:00:30Z","position":{"lat":60.3,"lon":24.9},
    "__proto__":{"polluted":true},"additionalInfo":{"__proto__":1,"constructor":{"prototype":{}}}}]}`

  expect(await findErrors('PositionReport', text)).toEqual([])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})
