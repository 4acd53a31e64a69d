import { beforeAll, expect, test } from 'vitest'
import { toErrors } from '../../../src/http/errors/validation-errors.ts'
import {
  bundledDocument,
  type DocumentedOperation,
  operationsOf,
} from '../../../src/http/operation/openapi-document.ts'
import {
  type CheckRequest,
  RefusedRequest,
  type RequestParts,
  type RequestValidator,
} from '../../../src/http/validation/check-request.ts'
import { createOpenApiValidator } from '../../../src/http/validation/openapi-validator.ts'
import { createRequestValidator } from '../../../src/http/validation/request-validator.ts'
import { allExamples, validExample } from '../../example-files.ts'

const operations = operationsOf(bundledDocument)

let validator: RequestValidator
beforeAll(async () => {
  validator = await createOpenApiValidator(bundledDocument, operations)
})

function anOperation(operationId: string): DocumentedOperation {
  const operation = operations.find((candidate) => candidate.operationId === operationId)
  if (!operation) throw new Error(`The document has no operation "${operationId}"`)
  return operation
}

/** What the check converted, or the errors that a client sees. */
async function outcome(check: CheckRequest, parts: Partial<RequestParts>) {
  const whole = { path: '/', query: {}, headers: {}, body: undefined, ...parts }
  try {
    return { parameters: await check(whole), body: whole.body }
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error
    return { errors: toErrors(error.findings, whole.body) }
  }
}

const ask = (operationId: string, parts: Partial<RequestParts>) => outcome(validator(anOperation(operationId)), parts)

test.each(['submitPositionReport', 'issueToken'])(
  'a body of %s is judged as on the fast path: every example of the document, valid or not',
  async (operationId) => {
    const operation = anOperation(operationId)
    const [slow, fast] = [validator(operation), createRequestValidator(bundledDocument)(operation)]
    const judged = new Map<boolean, number>()
    for (const { name, text } of allExamples()) {
      const parse = () => JSON.parse(text.replaceAll('1e999', '0')) ?? {}
      const [one, other] = [
        await outcome(slow, { path: operation.template, body: parse() }),
        await outcome(fast, { path: operation.template, body: parse() }),
      ]
      expect(one, name).toEqual(other)
      const isValid = 'parameters' in one
      judged.set(isValid, (judged.get(isValid) ?? 0) + 1)
    }
    expect(judged.get(true)).toBeGreaterThan(0)
    expect(judged.get(false)).toBeGreaterThan(100)
  },
)

test('a body that is missing is judged as on the fast path', async () => {
  const operation = anOperation('submitPositionReport')
  const parts = { path: operation.template, body: undefined }
  const expected = { errors: [{ pointer: '', code: 'required', detail: 'is missing' }] }

  expect(await outcome(validator(operation), parts)).toEqual(expected)
  expect(await outcome(createRequestValidator(bundledDocument)(operation), parts)).toEqual(expected)
})

test('parameters are converted to their types, and missing ones get their defaults', async () => {
  const path = '/v1/devices/urn%3Aaa%3Adevice%3Aacme%3Aroof1/recent'
  expect(await ask('listRecentReports', { path, query: { limit: '5' } })).toMatchObject({
    parameters: { path: { deviceId: 'urn:aa:device:acme:roof1' }, query: { limit: 5 } },
  })
  expect(await ask('listAirHistory', { path: '/v1/air/history' })).toMatchObject({
    parameters: { query: { seconds: 600, limit: 2000 } },
  })
})

test.each<[string, Record<string, unknown>, string]>([
  ['text', { limit: 'many' }, 'must be an integer'],
  ['nothing', { limit: '' }, 'must be an integer'],
  ['too small', { limit: '0' }, 'must be at least 1'],
  ['too large', { limit: '10001' }, 'must be at most 10000'],
  ['repeated', { limit: ['1', '2'] }, 'must be an integer'],
])('a limit that is %s is refused with its pointer', async (_kind, query, detail) => {
  const { errors } = await ask('listRecentReports', { path: '/v1/devices/roof1/recent', query })
  expect(errors).toEqual([{ pointer: '/query/limit', code: expect.any(String), detail }])
})

test('parameters that the document does not have are ignored, in brackets too', async () => {
  const query = { 'limit[x]': '1', 'limit[': '1', other: '' }
  expect(await ask('listRecentReports', { path: '/v1/devices/roof1/recent', query })).toMatchObject({
    parameters: { query: {} },
  })
})

test('commas and colons of a parameter need not be encoded', async () => {
  const query = { bbox: '24.0,60.0,26.0,61.0' }
  expect(await ask('listAirTracks', { path: '/v1/air/tracks', query })).toMatchObject({ parameters: { query } })
})

test('a header that is too long is refused with a pointer that names it', async () => {
  const headers = { 'last-event-id': 'x'.repeat(65) }
  expect(await ask('followAir', { path: '/v1/air/stream', headers })).toEqual({
    errors: [{ pointer: '/headers/last-event-id', code: 'max_length', detail: 'must have at most 64 characters' }],
  })
})

test('a path that is not valid percent-encoding is refused', async () => {
  expect(await ask('getDevice', { path: '/v1/devices/%zz' })).toEqual({
    errors: [{ pointer: '/path', code: 'encoding', detail: 'is not valid percent-encoding' }],
  })
})

test('a content type that was sent does not matter after the body was read', async () => {
  const body: unknown = JSON.parse(validExample('PairingRequestCreation'))
  for (const type of ['text/plain', 'application/json; x=1', `a/b${';'.repeat(1_000)}`]) {
    const parts = { path: '/v1/pairing-requests', headers: { 'content-type': type }, body }
    expect(await ask('createPairingRequest', parts)).toHaveProperty('parameters')
  }
})

test.each(['/v1/nowhere', '/v1/devices', '/v1/devices/roof1/recent'])(
  'a check of getDevice does not let the path %s pass',
  async (path) => {
    await expect(ask('getDevice', { path })).rejects.toThrow()
  },
)

test.each<[string, object, string]>([
  ['a reference that does not resolve', { $ref: '#/components/schemas/Nothing' }, 'does not resolve'],
  ['a format that is not checked', { type: 'string', format: 'date-time' }, 'would not be checked'],
  ['an expression that cannot be compiled', { type: 'string', pattern: '(' }, 'Invalid regular expression'],
])('the server does not start with %s', async (_kind, schema, message) => {
  const parameters = [{ in: 'query' as const, name: 'x', schema }]
  const health = anOperation('getHealth')
  const broken = { ...health, definition: { ...health.definition, parameters } }
  await expect(createOpenApiValidator(bundledDocument, [broken])).rejects.toThrow(message)
})
