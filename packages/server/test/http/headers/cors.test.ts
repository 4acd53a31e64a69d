import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createIsAppOrigin } from '../../../src/identity/authorize/app-origins.ts'
import { aServer, type ServerUnderTest } from '../../a-server.ts'
import { aClient, anIdentity } from '../../identity/an-identity.ts'

/** The seed's app has the redirect URI `https://localhost:9443/callback`. */
const app = 'https://localhost:9443'
const strangers = [
  'https://evil.example',
  'http://localhost:9443',
  'https://localhost',
  'https://localhost:9443.evil.example',
  'null',
]

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

function preflight(path: string, origin: string, method = 'POST') {
  const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' }
  return server.fetch(path, { method: 'OPTIONS', headers })
}

async function allowed(path: string, origin: string, method = 'GET') {
  const { headers } = await server.fetch(path, { method, headers: { origin } })
  return headers.get('access-control-allow-origin')
}

describe('an app at the origin of a registered redirect URI', () => {
  test.each([
    ['/oauth/v2/token', 'POST'],
    ['/oauth/v2/revoke', 'POST'],
    ['/v1/devices', 'GET'],
    ['/v1/pairing-requests', 'POST'],
    ['/v1/devices/urn:aa:device:fleet:roof1/relay', 'POST'],
    ['/v1/pairing-requests/some-request', 'DELETE'],
  ])('may call %s', async (path, method) => {
    const { status, headers } = await preflight(path, app, method)

    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(app)
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
    expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Last-Event-ID')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.get('vary')).toContain('Origin')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(await allowed(path, app, method)).toBe(app)
  })

  test('may send every header of its own: of tracing, viewers and proxies', async () => {
    const sent =
      'authorization, traceparent,tracestate, baggage, sentry-trace, x-requested-with, x-b3-traceid, bad name, '
    const { headers } = await server.fetch('/v1/devices', {
      method: 'OPTIONS',
      headers: { origin: app, 'access-control-request-method': 'GET', 'access-control-request-headers': sent },
    })

    expect(headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Last-Event-ID, traceparent, tracestate, baggage, sentry-trace, x-requested-with, x-b3-traceid',
    )
    expect(headers.get('vary')).toContain('Access-Control-Request-Headers')
  })

  test('that asks for a list of more than 1,024 characters gets the usual headers', async () => {
    const headers = {
      origin: app,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x,'.repeat(600),
    }
    const answer = await server.fetch('/v1/devices', { method: 'OPTIONS', headers })

    expect(answer.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Last-Event-ID')
  })

  test.each([
    ['an unknown path', '/v1/device', {}, 404],
    ['a wrong method', '/v1/devices', { method: 'PUT' }, 405],
    ['a path that cannot be decoded', '/v1/devices/%zz', {}, 401],
    ['a body that is too large', '/oauth/v2/token', { method: 'POST', body: 'x'.repeat(2 ** 21) }, 413],
    ['a body of another type', '/oauth/v2/token', { method: 'POST', body: '{}' }, 400],
    ['a query that is invalid', '/v1/devices?limit=x', {}, 401],
  ])('can read the answer to %s', async (_name, path, init, status) => {
    const answer = await server.fetch(path, { ...init, headers: { origin: app } })

    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(app)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('can read the answer to a repeated header', async () => {
    const lines = [
      'GET /v1/devices HTTP/1.1',
      'Host: localhost',
      `Origin: ${app}`,
      'Authorization: a',
      'Authorization: b',
    ]
    const { status, headers } = await server.raw(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)

    expect(status).toBe(400)
    expect(headers['access-control-allow-origin']).toBe(app)
  })

  test('can read errors, too, with their Retry-After', async () => {
    const { status, headers } = await server.fetch('/v1/devices', { headers: { origin: app } })

    expect(status).toBe(401)
    expect(headers.get('access-control-allow-origin')).toBe(app)
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
  })
})

test.each(strangers)('the origin %s gets no CORS headers', async (origin) => {
  for (const path of ['/oauth/v2/token', '/oauth/v2/revoke', '/v1/devices']) {
    const { status, headers } = await preflight(path, origin)

    expect(status).toBe(204)
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(headers.get('vary')).toContain('Origin')
    expect(await allowed(path, origin)).toBeNull()
  }
})

test("an answer depends on no header that its Vary does not name, and what is somebody's is not kept", async () => {
  const token = await server.userToken()
  for (const path of ['/v1/devices', '/v1/me', '/v1/devices/urn:aa:device:fleet:roof1']) {
    const { headers } = await server.get(path, token)
    expect(headers.get('vary')).toContain('Origin')
    expect(headers.get('cache-control')).toBe('no-store')
  }
  for (const path of ['/oauth/v2/jwks', '/.well-known/oauth-authorization-server']) {
    const [plain, cross] = await Promise.all([server.fetch(path), server.fetch(path, { headers: { origin: app } })])
    expect(plain.headers.get('cache-control')).toBe('public, max-age=300')
    expect(plain.headers.get('access-control-allow-origin')).toBe('*')
    expect(cross.headers.get('vary')).toBe(plain.headers.get('vary'))
  }
})

test.each(['/oauth/v2/jwks', '/.well-known/oauth-authorization-server', '/openapi.json'])(
  'anyone may read %s, with any header',
  async (path) => {
    expect((await preflight(path, 'https://evil.example', 'GET')).headers.get('access-control-allow-origin')).toBe('*')
    for (const origin of [app, ...strangers]) expect(await allowed(path, origin)).toBe('*')
    const { headers } = await server.fetch(path, { headers: { origin: app } })
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  },
)

test.each([
  ['/oauth/v2/authorize?client_id=app', 'GET'],
  ['/oauth/v2/authorize/some-request', 'GET'],
  ['/account', 'GET'],
  ['/account/password', 'POST'],
  ['/v1/pairing-tokens/consume-token?clientUniqueId=roof1', 'POST'],
  ['/metrics', 'GET'],
])('nobody may read %s from another origin', async (path, method) => {
  expect(await allowed(path, app, method)).toBeNull()
  const { headers } = await preflight(path, app, method)
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('access-control-allow-methods')).toBeNull()
})

test('an OPTIONS request that is not a preflight is answered as without CORS', async () => {
  const { status, headers } = await server.fetch('/v1/devices', { method: 'OPTIONS', headers: { origin: app } })

  expect(status).toBe(405)
  expect(headers.get('allow')).toContain('GET')
})

describe('the allowed origins', () => {
  async function someOrigins(allowLoopback = false) {
    const { directory } = await anIdentity()
    const clock = createManualClock()
    let reads = 0
    const { list } = directory
    directory.list = (...given) => {
      reads++
      return list(...given)
    }
    const isAppOrigin = createIsAppOrigin({ directory, clock, redirectUris: { allowLoopback } })
    return { directory, clock, isAppOrigin, reads: () => reads }
  }

  test('follow the directory within a second, and it is read once a second', async () => {
    const { directory, clock, isAppOrigin, reads } = await someOrigins()

    expect(await Promise.all([1, 2, 3].map(() => isAppOrigin('https://new.example')))).toEqual([false, false, false])
    await directory.insert('client', aClient({ id: 'new', redirectUris: ['https://new.example/cb?x=1'] }))
    await clock.advance(1_000)
    expect(await isAppOrigin('https://new.example')).toBe(true)
    await directory.update('client', 'new', (client) => ({ ...client, disabled: true }))
    await clock.advance(1_000)
    expect(await isAppOrigin('https://new.example')).toBe(false)
    expect(reads()).toBe(3)
  })

  test('include loopback only where loopback redirects are allowed', async () => {
    for (const allowLoopback of [false, true]) {
      const { directory, isAppOrigin } = await someOrigins(allowLoopback)
      await directory.insert('client', aClient({ id: 'new', redirectUris: ['http://localhost:5173/cb'] }))
      expect(await isAppOrigin('http://localhost:5173')).toBe(allowLoopback)
    }
  })

  test('include those that a client lists beside its redirect URIs, and loopback ones with an open port', async () => {
    const { directory, isAppOrigin } = await someOrigins(true)
    const redirectUris = ['https://app.example/cb', 'http://127.0.0.1/cb']
    await directory.insert('client', aClient({ id: 'new', redirectUris, origins: ['https://www.app.example'] }))

    expect(await isAppOrigin('https://www.app.example')).toBe(true)
    expect(await isAppOrigin('http://127.0.0.1:5173')).toBe(true)
    expect(await isAppOrigin('http://127.0.0.1.evil.example')).toBe(false)
  })

  test('are those that were read last while the directory does not answer', async () => {
    const { directory, clock, isAppOrigin } = await someOrigins()
    expect(await isAppOrigin('https://app.example')).toBe(true)
    directory.list = async () => {
      throw new Error('down')
    }
    await clock.advance(1_000)

    expect(await isAppOrigin('https://app.example')).toBe(true)
    expect(await isAppOrigin('https://evil.example')).toBe(false)
  })

  test('are read again after the directory did not answer', async () => {
    const { directory, isAppOrigin } = await someOrigins()
    const { list } = directory
    directory.list = async () => {
      throw new Error('down')
    }
    await expect(isAppOrigin('https://app.example')).rejects.toThrow('down')
    directory.list = list
    expect(await isAppOrigin('https://app.example')).toBe(true)
  })
})
