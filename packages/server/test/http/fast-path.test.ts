import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer, type ServerUnderTest } from '../a-server.ts'
import { allExamples } from '../example-files.ts'
import { formFields, reportBody } from './body/broken-bodies.ts'

let fast: ServerUnderTest
let express: ServerUnderTest
beforeAll(async () => {
  ;[fast, express] = await Promise.all([aServer(), aServer({ fastPath: false })])
})
afterAll(() => Promise.all([fast.stop(), express.stop()]))

type Init = NonNullable<Parameters<ServerUnderTest['fetch']>[1]>

/** An answer without the headers that differ every time. */
async function seen(server: ServerUnderTest, path: string, init: Init) {
  const response = await server.fetch(path, { method: 'POST', ...init })
  const headers = Object.fromEntries(response.headers)
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  const body = await response.text()
  const isToken = response.status === 200
  return {
    status: response.status,
    headers: { ...headers, 'x-request-id': '', date: '', 'content-length': isToken ? '' : headers['content-length'] },
    body: isToken ? Object.keys(JSON.parse(body)) : body,
  }
}

async function bothOf(path: string, initOf: (server: ServerUnderTest) => Promise<Init> | Init) {
  const [first, second] = await Promise.all(
    [fast, express].map(async (server) => seen(server, path, await initOf(server))),
  )
  return { first, second }
}

async function expectSameReportAnswer(text: string | Uint8Array, headers: Record<string, string> = {}) {
  const { first, second } = await bothOf('/v1/position-reports', async (server) => ({
    headers: {
      authorization: `Bearer ${await server.deviceToken()}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof text === 'string' ? new TextEncoder().encode(text) : text,
  }))
  expect(first, String(text).slice(0, 1_000)).toEqual(second)
  return first?.status
}

async function expectSameFormAnswer(fields: [string, string][]) {
  const { first, second } = await bothOf('/oauth/v2/token', () => ({ body: new URLSearchParams(fields) }))
  expect(first, JSON.stringify(fields)).toEqual(second)
  return first?.status
}

test('every example of the document, sent as a report, has the same answer on the fast path and in Express', async () => {
  const statuses = new Set()
  for (const { text } of allExamples()) statuses.add(await expectSameReportAnswer(text))
  expect([...statuses].sort()).toEqual([202, 400])
})

test('every example of the document, sent as a token request, has the same answer in both', async () => {
  const statuses = new Set()
  for (const { text } of allExamples()) {
    const value: unknown = JSON.parse(text.replaceAll('1e999', '0'))
    const fields = Object.entries(value ?? {}).map(([name, field]): [string, string] => [name, String(field)])
    statuses.add(await expectSameFormAnswer(fields))
  }
  expect([...statuses].sort()).toEqual([400, 401])
})

test('valid and broken bodies made from the schema have the same answer in both', async () => {
  const statuses = new Map<unknown, number>()
  await fc.assert(
    fc.asyncProperty(reportBody, async (text) => {
      const status = await expectSameReportAnswer(text)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }),
    { numRuns: 400 },
  )
  // Both kinds must occur; otherwise the comparison proves little.
  expect(Math.min(statuses.get(202) ?? 0, statuses.get(400) ?? 0)).toBeGreaterThan(20)
})

test('large bodies, which another thread reads, have the same answer as on the main thread', async () => {
  const statuses = new Set()
  await fc.assert(
    fc.asyncProperty(reportBody, async (text) => {
      const [large, small] = [await expectSameReportAnswer(text.padEnd(20_000)), await expectSameReportAnswer(text)]
      expect(large, text).toBe(small)
      statuses.add(large)
    }),
    { numRuns: 150 },
  )
  expect([...statuses]).toEqual(expect.arrayContaining([202, 400]))
})

test('forms with right and wrong fields have the same answer in both', async () => {
  await fc.assert(
    fc.asyncProperty(formFields, async (fields) => {
      await expectSameFormAnswer(fields)
    }),
    { numRuns: 300 },
  )
})

test.each<[string, Record<string, string>]>([
  ['another type', { 'content-type': 'text/plain' }],
  ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
  ['another encoding', { 'content-encoding': 'zstd' }],
  ['an encoding that it is not in', { 'content-encoding': 'gzip' }],
  ['no token', { authorization: '' }],
  ['a wrong token', { authorization: 'Bearer x' }],
  ['a traceparent', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }],
])('a report with %s has the same answer in both', async (_kind, headers) => {
  await expectSameReportAnswer(JSON.stringify(aReport()), headers)
})

test('a body of more than 1 MiB has the same answer in both', async () => {
  expect(await expectSameReportAnswer(JSON.stringify(aReport()).padEnd(1024 * 1024 + 1))).toBe(413)
})

test('an app in a browser can read the answer of the token endpoint: requests with an Origin go through Express', async () => {
  const { first, second } = await bothOf('/oauth/v2/token', () => ({
    headers: { origin: 'https://localhost:9443' },
    body: new URLSearchParams({ grant_type: 'x' }),
  }))
  expect(first).toEqual(second)
  expect(first?.headers).toMatchObject({ 'access-control-allow-origin': 'https://localhost:9443' })
})

test.each(['/v1/position-reports?x=1', '/v1/position-reports/', '/oauth/v2/token?grant_type=x'])(
  '%s has the same answer in both',
  async (path) => {
    const { first, second } = await bothOf(path, () => ({ body: new URLSearchParams() }))
    expect(first).toEqual(second)
  },
)

test.each([
  ['two Hosts', 'Host: localhost\r\nHost: other'],
  ['two Authorizations', 'Host: localhost\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y'],
])('%s have the same refusal in both', async (_kind, lines) => {
  const request = `POST /oauth/v2/token HTTP/1.1\r\n${lines}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
  const [first, second] = await Promise.all([fast.raw(request), express.raw(request)])
  expect(first?.status).toBe(400)
  expect([first?.status, first?.body]).toEqual([second?.status, second?.body])
})
