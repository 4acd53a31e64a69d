/** The token endpoint's answers to forms that the document does not allow, over the real server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, type ServerUnderTest } from '../../a-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

const complete: Record<string, Record<string, string>> = {
  authorization_code: { code: 'c', redirect_uri: 'https://localhost:9443/callback' },
  refresh_token: { refresh_token: 'r' },
  client_credentials: { device_id: 'roof1' },
}

for (const [grant, fields] of Object.entries(complete)) {
  for (const field of Object.keys(fields)) {
    test(`${grant} without ${field} gets an error that names the field`, async () => {
      const { [field]: _, ...rest } = fields
      const body = new URLSearchParams({
        grant_type: grant,
        client_id: 'fleet',
        client_secret: 's3cret-fleet',
        ...rest,
      })
      const response = await server.fetch('/oauth/v2/token', { method: 'POST', body })
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({
        error: 'invalid_request',
        error_description: `'${field}' is missing or wrong`,
      })
    })
  }
}

test('another method gets an OAuth error that names the allowed method', async () => {
  const response = await server.fetch('/oauth/v2/token')
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
})

const fleet = { client_id: 'fleet', client_secret: 's3cret-fleet', device_id: 'roof1' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const right = new URLSearchParams({ ...fleet, grant_type: 'client_credentials' }).toString()

test.each([
  ['JSON', JSON.stringify({ ...fleet, grant_type: 'client_credentials' }), { 'content-type': 'application/json' }],
  ['multipart', `--x\r\n\r\n${right}\r\n--x--`, { 'content-type': 'multipart/form-data; boundary=x' }],
  ['text', right, { 'content-type': 'text/plain' }],
  ['no type', Buffer.from(right), {}],
  ['a repeated field', `${right}&device_id=roof2`, form],
])('a body with %s gets a 400 OAuth error that is not cached', async (_what, body, headers) => {
  const response = await server.fetch('/oauth/v2/token', { method: 'POST', body, headers })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('pragma')).toBe('no-cache')
})

test.each([
  ['2 MB', `${right}&a=${'x'.repeat(2 * 1024 * 1024)}`],
  ['1,001 fields', `${right}${'&a=b'.repeat(997)}`],
])('a body of %s gets a 413 OAuth error', async (_what, body) => {
  const response = await server.fetch('/oauth/v2/token', { method: 'POST', body, headers: form })

  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
})

test.each([
  ['', 'invalid_request'],
  ['grant_type=', 'invalid_request'],
  ['grant_type=client_credentials&grant_type=client_credentials', 'invalid_request'],
  ['grant_type%5B%5D=client_credentials', 'invalid_request'],
  ['grant_type=password&username=pilot%40example.com&password=correct+horse+42', 'unsupported_grant_type'],
  ['grant_type=implicit', 'unsupported_grant_type'],
  ['grant_type=CLIENT_CREDENTIALS', 'unsupported_grant_type'],
  ['grant_type=__proto__', 'unsupported_grant_type'],
])('the grant "%s" gets 400 %s', async (grant, error) => {
  const body = `${new URLSearchParams(fleet)}&${grant}`
  const response = await server.fetch('/oauth/v2/token', { method: 'POST', body, headers: form })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error })
})

test('the issuer and the endpoints come from settings, not from the host that a request or a proxy names', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=evil.example' }
  const path = '/.well-known/oauth-authorization-server'

  const forged = await server.fetch(path, { headers })
  const honest = await server.fetch(path)

  expect(await forged.json()).toEqual(await honest.json())
  const raw = await server.raw(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
  expect(raw.body).not.toContain('evil.example')
})

test('a refresh token is not accepted as a bearer token, nor a device token for user operations or the reverse', async () => {
  const answer = await server.fetch('/oauth/v2/token', { method: 'POST', body: right, headers: form })
  // The documented answer of the endpoint.
  const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string }

  for (const path of ['/v1/devices', '/v1/devices/urn:aa:device:fleet:roof1']) {
    expect((await server.get(path, refreshToken)).status).toBe(401)
    expect((await server.get(path, await server.deviceToken())).status).toBe(401)
  }
  expect((await server.post('/v1/position-reports', refreshToken, {})).status).toBe(401)
  expect((await server.post('/v1/position-reports', await server.userToken(), {})).status).toBe(401)
})
