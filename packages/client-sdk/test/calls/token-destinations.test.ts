/** A table of attempts to send the access token to another origin. */
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import { aFetch, aService, urn } from '../builders.ts'

const [auth, ingest, ui] = ['https://auth.example.net', 'https://ingest.example.net', 'https://ui.example.net:8443']
const options = { authOrigin: auth, ingestOrigin: ingest, uiOrigin: ui }

describe('a raw call with the base URL', () => {
  test.each([
    'https://ui.example.net:8444',
    'https://ui.example.net',
    'http://ui.example.net:8443',
    'https://example.net:8443',
    'https://evil.ui.example.net:8443',
    'https://ui.example.net.evil.example:8443',
    'https://ui.example.net:8443@evil.example',
    'https://ui.example.net:8443.evil.example',
    'https://ui-example.net:8443',
    'https://uі.example.net:8443', // a Cyrillic і
    'https://evil.example/https://ui.example.net:8443',
    'https://evil.example?https://ui.example.net:8443',
    'https://evil.example#https://ui.example.net:8443',
    'https:\\\\evil.example\\',
    'http://127.0.0.1:8443',
    'data:text/plain,',
  ])('%s is refused, and nothing is sent', async (baseUrl) => {
    const { fetch, requests } = aFetch(() => Response.json({ data: [] }))
    const { raw } = createClient({ ...options, getToken: () => 'secret', fetch })

    await expect(raw.GET('/v1/devices', { baseUrl })).rejects.toThrow()

    expect(requests).toHaveLength(0)
  })
})

describe('a raw call of the path', () => {
  test.each([
    'https://evil.example/v1/devices',
    '//evil.example/v1/devices',
    '@evil.example/v1/devices',
    '.evil.example/v1/devices',
    ':443/v1/devices',
    '\\\\evil.example/v1/devices',
  ])('%s does not reach another origin', async (path) => {
    const { fetch, requests } = aFetch(() => Response.json({ data: [] }))
    const { raw } = createClient({ ...options, getToken: () => 'secret', fetch })

    // The paths of the document are the only ones that compile; JavaScript programs may pass others.
    await raw.GET(path as '/v1/devices').catch(() => {})

    for (const { url } of requests) expect(new URL(url).origin).toBe(ui)
  })
})

test('identifiers do not change the origin', async () => {
  const { fetch, requests } = aFetch(() => Response.json({}))
  const client = createClient({ ...options, getToken: () => 'secret', fetch })

  for (const id of ['//evil.example/', '..', '../..//evil.example', '@evil.example', '?', '#', '\\evil']) {
    await client.getDevice(id)
  }

  expect(requests).toHaveLength(7)
  for (const { url } of requests) expect(new URL(url).origin).toBe(ui)
})

describe('an answer that redirects', () => {
  test.each([301, 302, 303, 307, 308])('with %i is not followed', async (status) => {
    const elsewhere = await aService(() => ({ body: { data: [] } }))
    const location = `${elsewhere.origin}/v1/devices`
    const { origin } = await aService(() => ({ status, headers: { location } }))
    const client = createClient({ origin, getToken: () => 'secret' })

    await expect(client.listDevices()).rejects.toMatchObject({ code: 'unexpected_answer', status })
    await client.raw.GET('/v1/devices', { redirect: 'follow' })

    expect(elsewhere.seen).toHaveLength(0)
  })
})

test("a middleware's own request is refused at another origin, and its redirects are not followed", async () => {
  const { fetch, requests } = aFetch(() => Response.json({ data: [] }))
  const { raw } = createClient({ ...options, getToken: () => 'secret', fetch })
  let target = 'https://evil.example/v1/devices'
  raw.use({ onRequest: () => new Request(target) })

  await expect(raw.GET('/v1/devices')).rejects.toMatchObject({ code: 'foreign_origin' })
  target = `${ui}/v1/devices`
  await raw.GET('/v1/devices')

  expect(requests.map(({ url, redirect, credentials }) => ({ url, redirect, credentials }))).toEqual([
    { url: target, redirect: 'manual', credentials: 'omit' },
  ])
})

test("a call with its own fetch does not get the client's token", async () => {
  const { fetch, requests } = aFetch(() => Response.json({ data: [] }))
  const { raw } = createClient({ ...options, getToken: () => 'secret' })

  await raw.GET('/v1/devices', { fetch, baseUrl: 'https://evil.example' })

  expect(requests[0]?.headers.get('authorization')).toBeNull()
})

describe('with three origins', () => {
  test.each([
    ['/v1/devices', ui, 'Bearer secret'],
    ['/healthz', ui, null],
    ['/oauth/v2/jwks', auth, null],
    ['/.well-known/oauth-authorization-server', auth, null],
  ] as const)('GET %s goes to %s with the header %s', async (path, origin, header) => {
    const { fetch, requests } = aFetch(() => Response.json({ data: [] }))
    const { raw } = createClient({ ...options, getToken: () => 'secret', fetch })

    await raw.GET(path)

    expect(requests[0]?.url).toBe(`${origin}${path}`)
    expect(requests[0]?.headers.get('authorization')).toBe(header)
  })

  test("a report goes to the ingest with the device's token, not the user's", async () => {
    const { fetch, requests } = aFetch(() => new Response(null, { status: 202 }))
    const client = createClient({ ...options, getToken: () => 'secret', fetch })

    await client.submitPositionReport({ positions: [] }, { deviceToken: 'device-1' })

    expect(requests.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
      [`${ingest}/v1/position-reports`, 'Bearer device-1'],
    ])
  })

  test("a raw report does not carry the user's token", async () => {
    const { fetch, requests } = aFetch(() => new Response(null, { status: 401 }))
    const { raw } = createClient({ ...options, getToken: () => 'secret', fetch })

    await raw.POST('/v1/position-reports', { body: { positions: [] } })

    expect(requests[0]?.headers.get('authorization')).toBeNull()
  })
})

test('a token is not in the messages of errors', async () => {
  const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const client = createClient({ origin, getToken: () => 'secret' })

  const error = await client.getDevice(urn).catch((error: unknown) => error)

  expect(error).toMatchObject({ code: 'unreachable' })
  expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  server.close()
})
