import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aServer, type ServerUnderTest } from '../a-server.ts'

const path = '/v1/position-reports'
const lines: { fields: Record<string, unknown>; message: string }[] = []

let server: ServerUnderTest
beforeAll(async () => {
  const keep = (fields: object, message: string) => void lines.push({ fields: { ...fields }, message })
  server = await aServer({ logger: { debug: keep, info: keep, warn: keep, error: keep } })
})
afterAll(() => server.stop())

describe('the log line of a request', () => {
  async function lineOf(headers: Record<string, string>, target = path) {
    lines.length = 0
    const response = await server.fetch(target, { method: 'POST', headers })
    await response.text()
    const id = response.headers.get('x-request-id')
    // The line is written after the answer.
    while (!lines.some(({ fields }) => fields.requestId === id)) await new Promise((resolve) => setImmediate(resolve))
    return lines.find(({ fields }) => fields.requestId === id)?.fields
  }

  test('names the operation, the status and the trace of the caller', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    expect(await lineOf({ traceparent })).toMatchObject({
      operation: 'submitPositionReport',
      path,
      status: 401,
      traceId: '0af7651916cd43dd8448eb211c80319c',
    })
  })

  test('has no trace for an invalid traceparent, and no query', async () => {
    const fields = await lineOf({ traceparent: 'forged' }, `${path}?secret=1`)
    expect(fields).toMatchObject({ path })
    expect(fields).not.toHaveProperty('traceId')
  })
})

test.each([
  ['another version', 'GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n', 505],
  [
    'another coding',
    'POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    501,
  ],
])('a request in %s is no error of the server: its log has a line without a stack', async (_what, request, status) => {
  lines.length = 0
  expect((await server.raw(request)).status).toBe(status)

  await expect.poll(() => lines).toMatchObject([{ fields: { status } }])
})
