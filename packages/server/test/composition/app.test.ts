/** Settings and handlers that no other test sees through a whole server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer, roof1, type ServerUnderTest, silentLogger } from '../a-server.ts'

const loopbackRedirect = 'http://127.0.0.1:9000/callback'
const seedOfLoopback = {
  accounts: [{ id: 'tools', name: 'Tools' }],
  users: [],
  clients: [
    {
      id: 'cli',
      name: 'Command line',
      account: 'tools',
      grants: ['authorization_code'],
      redirectUris: [loopbackRedirect],
      scopes: ['surveillance_api'],
    },
  ],
  sensors: [],
}

let server: ServerUnderTest
let folder: string
const logged: unknown[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-seed-'))
  await writeFile(join(folder, 'seed.json'), JSON.stringify(seedOfLoopback))
  server = await aServer({
    flags: {
      'refresh-grace-seconds': '0',
      'metric-window': '10m',
      'relay-ports': '9443',
      'ingest-origin': 'https://ingest.example.com',
      'allow-loopback-redirects': true,
      seed: join(folder, 'seed.json'),
    },
    logger: { ...silentLogger, info: (fields) => void logged.push(fields) },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

function requestTokens(fields: Record<string, string>, path = '/oauth/v2/token') {
  const body = new URLSearchParams({ client_id: 'fleet', client_secret: 's3cret-fleet', ...fields })
  return server.fetch(path, { method: 'POST', body })
}

test('with --refresh-grace-seconds 0 a used refresh token is refused at once', async () => {
  const device = { grant_type: 'client_credentials', token_format: 'jwt', device_id: 'roof1' }
  const { refresh_token } = (await (await requestTokens(device)).json()) as { refresh_token: string }
  const refresh = () => requestTokens({ grant_type: 'refresh_token', refresh_token })

  expect([(await refresh()).status, (await refresh()).status]).toEqual([200, 401])
})

test('--metric-window says how long recent reports are kept', async () => {
  const [device, user] = [await server.deviceToken(), await server.userToken()]
  await server.post('/v1/position-reports', device, aReport())
  await server.processed()
  const recent = async () => {
    const response = await server.get(`/v1/devices/${roof1}/recent`, user)
    return ((await response.json()) as { data: unknown[] }).data.length
  }
  expect(await recent()).toBe(1)

  await server.clock.advance(10 * 60_000 + 1)
  expect(await recent()).toBe(0)
})

test('--relay-ports allows a port, and a relay must not lead to an origin of the server', async () => {
  const token = await server.userToken()
  const set = async (url: string) => (await server.post(`/v1/devices/${roof1}/relay`, token, { url, state: 2 })).status

  expect(await set('https://relay.example.com:9443/reports')).toBe(200)
  expect(await set('https://relay.example.com:9444/reports')).toBe(400)
  expect(await set('https://ingest.example.com/v1/position-reports')).toBe(400)
})

test('with --allow-loopback-redirects an application on this machine can ask for a sign-in', async () => {
  const query = new URLSearchParams({
    client_id: 'cli',
    response_type: 'code',
    redirect_uri: loopbackRedirect,
    scope: 'surveillance_api',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const response = await server.fetch(`/oauth/v2/authorize?${query}`, { redirect: 'follow' })
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Sign in')])
})

test('the revocation endpoint answers with OAuth errors, and refused clients are in the audit log', async () => {
  const response = await requestTokens({ client_secret: 'wrong', token: 'x' }, '/oauth/v2/revoke')

  expect([response.status, await response.json()]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })])
  expect(logged).toContainEqual({ audit: expect.objectContaining({ event: 'client-refused', clientId: 'fleet' }) })
})
