import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer, roof1, type ServerUnderTest } from '../a-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

describe('what this server does not speak', () => {
  const body = 'Connection: close\r\n\r\n0\r\n\r\n'
  test.each([
    ['gzip, chunked', 501],
    ['deflate, chunked', 501],
    ['chunked, chunked', 501],
    ['x-chunked', 501],
    ['Chunked', 400],
    ['chunked', 400],
  ])('Transfer-Encoding: %s is %i, on the fast path and beside it', async (coding, status) => {
    for (const path of ['/oauth/v2/token', '/oauth/v2/token?x=1']) {
      const answer = await server.raw(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ${coding}\r\n${body}`,
      )
      expect([coding, answer.status]).toEqual([coding, status])
    }
  })

  test.each(['0.9', '2.0'])('HTTP/%s is 505', async (version) => {
    const { status } = await server.raw(`GET /healthz HTTP/${version}\r\nHost: localhost\r\n\r\n`)
    expect(status).toBe(505)
  })
})

describe('a header that is longer than what parses it allows', () => {
  test.each(['accept', 'accept-encoding', 'forwarded', 'last-event-id', 'x-forwarded-for'])(
    'is 431, with its name: %s',
    async (name) => {
      const response = await server.fetch('/v1/nothing', { headers: { [name]: `"${','.repeat(1_024)}` } })
      expect([response.status, await response.json()]).toEqual([
        431,
        expect.objectContaining({ detail: `The header "${name}" is longer than 1024 characters` }),
      ])
      const allowed = await server.fetch('/healthz', { headers: { [name]: `"${','.repeat(1_023)}` } })
      expect(allowed.status).toBe(200)
    },
  )

  test('is also 431 when it is sent in several', async () => {
    const lines = `Accept: ${'a,'.repeat(250)}\r\n`.repeat(3)
    const { status } = await server.raw(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`)
    expect(status).toBe(431)
  })
})

describe('a path', () => {
  test('that does not exist gets a 404 problem', async () => {
    const response = await server.fetch('/v1/nothing')
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        type: 'urn:problem:not_found',
        title: 'Not found',
        status: 404,
        detail: 'This path does not exist',
        code: 'not_found',
      },
    ])
  })

  test.each(['/V1/devices', '/v1/devices/', '//v1/devices', '/v1//devices', '/v1/devices;x=1', '/v1/devices%2f'])(
    'is matched exactly: "%s" is 404',
    async (path) => {
      expect((await server.fetch(path)).status).toBe(404)
    },
  )

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'is taken with its own methods only: %s of a POST is 405 with Allow',
    async (method) => {
      const response = await server.fetch('/v1/position-reports', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    },
  )

  test('with a GET accepts HEAD and lists it in Allow', async () => {
    const response = await server.fetch('/v1/devices', { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('with two methods lists both', async () => {
    const response = await server.fetch('/v1/pairing-requests/pr_1', { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE'])
  })

  test.each([roof1, encodeURIComponent(roof1), roof1.replace('urn:', 'urn%3a')])(
    'names a device with colons encoded or not: %s',
    async (urn) => {
      const response = await server.get(`/v1/devices/${urn}`, await server.userToken())
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ deviceId: roof1 })])
    },
  )

  test.each(['%', '%zz', '%c3%28', 'urn%3', '%00', '%ff', '%F0%9F', '..%2f..', '%u0041'])(
    'with "%s" for a device is refused and no error of ours',
    async (id) => {
      const token = await server.userToken()
      const answer = await server.raw(
        `GET /v1/devices/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      )
      expect([400, 404]).toContain(answer.status)
      expect(JSON.parse(answer.body)).toMatchObject({
        status: answer.status,
        code: expect.stringMatching(/^invalid_request|not_found$/),
      })
    },
  )
})

test.each(['/devices/%zz', '/account/sessions/%zz/end'])('the page %s is a page with 400', async (path) => {
  const response = await server.fetch(path)
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(await response.text()).toContain('This request could not be read')
})

test('a HEAD gets the answer of its GET, without the body', async () => {
  const get = await server.fetch('/version')
  const head = await server.fetch('/version', { method: 'HEAD' })

  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
})

describe('a request is refused', () => {
  const lines = (...given: string[]) => server.raw([...given, 'Connection: close', '', ''].join('\r\n'))

  test.each([
    ['a b', 400],
    ['localhost/a', 400],
    ['user@localhost', 400],
    ['localhost:8443x', 400],
    ['[::1', 400],
    ['"', 400],
    ['ünicode', 400],
    ['localhost:8443', 200],
    ['[::1]:8443', 200],
    ['a-b_c.example', 200],
  ])('a Host of %j with %i', async (host, status) => {
    expect((await lines('GET /version HTTP/1.1', `Host: ${host}`)).status).toBe(status)
  })

  test('with 400 for two Host headers', async () => {
    const answer = await lines('GET /version HTTP/1.1', 'Host: localhost', 'Host: evil.example')
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('/headers/host')])
  })

  test('with 400 for two Authorization headers', async () => {
    const token = await server.userToken()
    const answer = await lines(
      'GET /v1/devices HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Authorization: Bearer other',
    )
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('/headers/authorization')])
  })

  test('with 400 for a target that names a host', async () => {
    const answer = await lines('GET http://evil.example/version HTTP/1.1', 'Host: localhost')
    expect(answer.status).toBe(400)
  })

  test.each([
    ['a length and chunks', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    ['two lengths', 'Content-Length: 5', 'Content-Length: 6'],
    ['no Host', 'X: y'],
  ])('with 400 for %s', async (kind, ...headers) => {
    const host = kind === 'no Host' ? [] : ['Host: localhost']
    const answer = await lines('POST /v1/position-reports HTTP/1.1', ...host, ...headers)
    expect(answer.status).toBe(400)
  })

  test('with 431 for headers of 20 kB', async () => {
    const answer = await lines('GET /version HTTP/1.1', 'Host: localhost', `X-Long: ${'x'.repeat(20_000)}`)
    expect(answer.status).toBe(431)
  })
})

describe('a query parameter', () => {
  test.each([
    ['limit=0', '/query/limit'],
    ['limit=1001', '/query/limit'],
    ['limit=1.5', '/query/limit'],
    ['limit=ten', '/query/limit'],
    ['limit=', '/query/limit'],
    ['after=', '/query/after'],
  ])('"%s" is refused at "%s"', async (query, pointer) => {
    const response = await server.get(`/v1/devices?${query}`, await server.userToken())
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request', errors: [expect.objectContaining({ pointer })] }),
    ])
  })

  test('that is sent twice is refused', async () => {
    const response = await server.get('/v1/devices?limit=1&limit=2', await server.userToken())
    expect(response.status).toBe(400)
  })

  test('that the document does not know is ignored', async () => {
    expect((await server.get('/v1/devices?utm=1', await server.userToken())).status).toBe(200)
  })
})

test('an answer has an id, forbids sniffing, framing and referrers, and does not name the software', async () => {
  const { headers } = await server.fetch('/v1/nothing')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect([headers.get('x-powered-by'), headers.get('server'), headers.get('etag')]).toEqual([null, null, null])
})

test('an operation without a body reads none, even if the headers announce one', async () => {
  const response = await server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof1', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: '{broken',
  })
  expect(response.status).toBe(404)
})

test('a chunked report without a length is accepted', async () => {
  const body = JSON.stringify(aReport())
  const answer = await server.raw(
    [
      'POST /v1/position-reports HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Authorization: Bearer ${await server.deviceToken()}`,
      'Transfer-Encoding: chunked',
      'Connection: close',
      '',
      body.length.toString(16),
      body,
      '0',
      '',
      '',
    ].join('\r\n'),
  )
  expect(answer.status).toBe(202)
})
