import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidExamples, validExamples } from './example-files.ts'
import { createServerJudge, type ServerJudge } from './server-judge.ts'
import { judgeByValidator } from './validator-judge.ts'

let server: ServerJudge

beforeAll(async () => {
  server = await createServerJudge()
})

afterAll(() => server.close())

/** Both judges must say the same; what they say. */
async function judge(schema: string, text: string): Promise<string[]> {
  const byServer = await server.judge(schema, text)
  expect(judgeByValidator(schema, JSON.parse(text))).toEqual(byServer)
  return byServer
}

test.each(validExamples())('the example of $schema is taken by the server and by the validators', async (example) => {
  expect(await judge(example.schema, example.text)).toEqual([])
})

describe.each(Object.entries(Object.groupBy(invalidExamples(), ({ schema }) => schema)))(
  '%s',
  (schema, examples = []) => {
    test.each(examples)(
      '$name is refused at "$pointer" by the server and by the validators',
      async ({ pointer, text }) => {
        expect(await judge(schema, text)).toContain(pointer)
      },
    )
  },
)

test('more than 1000 positions are refused, 1000 are taken', async () => {
  const position = { id: '1', sourceTimeStamp: '2026-01-07T12:00:30Z', position: { lat: 60.3, lon: 24.9 } }
  const report = (count: number) => JSON.stringify({ positions: Array(count).fill(position) })

  expect(await judge('PositionReport', report(1001))).toEqual(['/positions'])
  expect(await judge('PositionReport', report(1000))).toEqual([])
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
  "members with the names of an object's own": { constructor: 1, hasOwnProperty: null, toString: [] },
  'a time without offset': { sourceTimeStamp: '2026-01-07T12:00:30' },
  'a time in lower case': { sourceTimeStamp: '2026-01-07t12:00:30z' },
  'a time with nine digits of fraction': { sourceTimeStamp: '2026-01-07T12:00:30.123456789+23:59' },
  'an unknown local offset': { sourceTimeStamp: '2026-01-07T12:00:30-00:00' },
  'the first and the last year': { sourceTimeStamp: '0001-01-01T00:00:00Z' },
  'the last moment': { sourceTimeStamp: '9999-12-31T23:59:59.999999999-23:59' },
  'a leap day': { sourceTimeStamp: '2000-02-29T12:00:00Z' },
  'a leap second': { sourceTimeStamp: '2016-12-31T23:59:60Z' },
  'a leap second with an offset': { sourceTimeStamp: '2017-01-01T05:29:60.5+05:30' },
}

test.each(Object.entries(edges))('a report is taken with %s', async (_edge, members) => {
  const position = { id: '1', sourceTimeStamp: '2026-01-07T12:00:30Z', position: { lat: 60.3, lon: 24.9 }, ...members }

  expect(await judge('PositionReport', JSON.stringify({ positions: [position] }))).toEqual([])
})

test('a report is taken with __proto__ as plain data', async () => {
  const text = `{"positions":[{"id":"1","sourceTimeStamp":"2026-01-07T12:00:30Z","position":{"lat":60.3,"lon":24.9},
    "__proto__":{"polluted":true},"additionalInfo":{"__proto__":1,"constructor":{"prototype":{}}}}]}`

  expect(await judge('PositionReport', text)).toEqual([])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})
