import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPosition, aReport } from '../a-report.ts'
import { aServer, type ServerUnderTest } from '../a-server.ts'

const path = '/v1/position-reports'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

/** A report whose only position has these members, also as text that JSON.stringify would not write. */
async function send(members: Record<string, unknown> | string) {
  const body = typeof members === 'string' ? members : JSON.stringify(aReport({ positions: [aPosition(members)] }))
  return server.post(path, await server.deviceToken(), body)
}

describe('a report is accepted', () => {
  test.each([
    ['a leap second', { sourceTimeStamp: '2016-12-31T23:59:60Z' }],
    ['a leap second in another zone', { sourceTimeStamp: '2017-01-01T01:59:60+02:00' }],
    ['a time without an offset', { sourceTimeStamp: '2026-01-07T12:00:30' }],
    ['a time with an offset', { sourceTimeStamp: '2026-01-07T12:00:30-03:30' }],
    ['a time long ago', { sourceTimeStamp: '0001-01-01T00:00:00Z' }],
    ['a time far ahead', { sourceTimeStamp: '9999-12-31T23:59:59.999999999Z' }],
    ['minus zero', { position: { lat: -0, lon: -0 } }],
    ['one end of the range', { position: { lat: -90, lon: -180 } }],
    ['the other end of the range', { position: { lat: 90, lon: 180 } }],
    ['a height that is the largest double', { altitudes: [{ height: Number.MAX_VALUE, datum: 'wgs84' }] }],
    ['an id of 255 characters', { id: '😀'.repeat(255) }],
    ['confidence 1', { target: { type: 'aa:target:aircraft', confidence: 1 } }],
    ['a source that is a number', { groundVelocity: { x: 1, y: 2, source: 7 } }],
    ['a name of 100,000 characters', { ['n'.repeat(100_000)]: 1 }],
    ['a text of 900,000 characters', { additionalInfo: { text: 'x'.repeat(900_000) } }],
    ['4,000 members', { additionalInfo: Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`m${n}`, n])) }],
  ])('with %s', async (_kind, members) => {
    expect((await send(members)).status).toBe(202)
  })

  test('with a byte order mark in front', async () => {
    expect((await send(`\ufeff${JSON.stringify(aReport())}`)).status).toBe(202)
  })

  test('with 1,000 positions, and refused with 1,001', async () => {
    const positions = (count: number) => JSON.stringify({ positions: Array(count).fill(aPosition()) })
    expect((await send(positions(1_000))).status).toBe(202)
    const response = await send(positions(1_001))
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/positions' })] }),
    ])
  })
})

test('an error quotes only a short part of the body, as data', async () => {
  const response = await send(`<script>alert(1)</script>\r\nforged: line${'x'.repeat(1_000)}`)
  const text = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    400,
    'application/problem+json; charset=utf-8',
  ])
  expect(text.length).toBeLessThan(400)
  expect(text).not.toContain('\n')
})

test('inherited names do not count as sent members', async () => {
  for (const body of ['{"__proto__":{"positions":[]}}', '{"constructor":{"prototype":{"positions":[]}}}']) {
    const response = await send(body)
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/positions', code: 'required' })] }),
    ])
  }
})

describe('a request', () => {
  async function head(length: number) {
    const token = await server.deviceToken()
    return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`
  }

  test('that ends in the middle of its body stores nothing, and the next request is served', async () => {
    const before = await accepted()
    const aborting = new AbortController()
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"positions":['))
        aborting.abort()
      },
    })
    const sent = server.fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await server.deviceToken()}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
      signal: aborting.signal,
    })
    await expect(sent).rejects.toThrow()

    expect((await send({})).status).toBe(202)
    expect(await accepted()).toBe(before + 1)
  })

  test('whose Content-Length is shorter than its body gets the error that the body is not JSON', async () => {
    const body = JSON.stringify(aReport())
    const answer = await server.raw(`${await head(body.length - 10)}Connection: close\r\n\r\n${body}`)
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('not JSON')])
  })

  async function accepted(): Promise<number> {
    const text = await (await server.fetch('/metrics')).text()
    return Number(/posrep_reports_total\{step="accepted"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
})
