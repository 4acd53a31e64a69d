import type { PairingRequest, PairingToken } from '@posrep/spec'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer, rival, rivalRoof1, roof1, type ServerUnderTest } from '../a-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())
// Advance by the polling interval of a device, so that no limit is exceeded.
beforeEach(() => server.clock.advance(2_000))

function consume(query = '?clientUniqueId=roof1', init: Parameters<ServerUnderTest['fetch']>[1] = {}) {
  const headers = { 'content-type': 'application/json' }
  return server.fetch(`/v1/pairing-tokens/consume-token${query}`, { method: 'POST', headers, ...init })
}

async function pair(deviceId = roof1, user?: typeof rival): Promise<PairingRequest> {
  const response = await server.post('/v1/pairing-requests', await server.userToken(user), { deviceId })
  expect(response.status).toBe(201)
  return (await response.json()) as PairingRequest
}

async function stateOf({ id }: PairingRequest): Promise<string> {
  const response = await server.get(`/v1/pairing-requests/${id}`, await server.userToken())
  return ((await response.json()) as PairingRequest).state
}

async function cancel({ id }: PairingRequest, user?: typeof rival): Promise<number> {
  const authorization = `Bearer ${await server.userToken(user)}`
  return (await server.fetch(`/v1/pairing-requests/${id}`, { method: 'DELETE', headers: { authorization } })).status
}

test('the answer to the device is compact, in the documented order, and not cached', async () => {
  await pair()
  const response = await consume()
  const text = await response.text()

  const { headers } = response
  expect([response.status, headers.get('cache-control'), headers.get('pragma')]).toEqual([200, 'no-store', 'no-cache'])
  expect(text).toBe(JSON.stringify(JSON.parse(text)))
  expect(Object.keys(JSON.parse(text))).toEqual([
    'id',
    'sensorId',
    'clientUniqueId',
    'accessToken',
    'refreshToken',
    'expiresAt',
  ])
})

test('expiresAt is the expiry of the token, in UTC with its offset', async () => {
  await pair()
  const { accessToken, expiresAt } = (await (await consume()).json()) as PairingToken
  const { exp } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())

  expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  expect(Math.abs(Date.parse(expiresAt) / 1000 - exp)).toBeLessThanOrEqual(1)
  expect(accessToken.length).toBeLessThan(996)
})

test('the ingest accepts reports of the paired sensor with the token', async () => {
  const request = await pair()
  const { id, sensorId, clientUniqueId, accessToken } = (await (await consume()).json()) as PairingToken

  expect([id, sensorId, clientUniqueId]).toEqual([request.id, roof1, 'roof1'])
  expect((await server.post('/v1/position-reports', accessToken, aReport({ sensor: { id: 'roof1' } }))).status).toBe(
    202,
  )
  expect((await server.post('/v1/position-reports', accessToken, aReport({ sensor: { id: 'roof2' } }))).status).toBe(
    403,
  )
})

test('the token is valid for its sensor, for the ingest and for one scope', async () => {
  await pair()
  const { accessToken, sensorId } = (await (await consume()).json()) as PairingToken
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())

  expect(claims).toMatchObject({ sub: sensorId, aud: server.origin, scope: 'surveillance_api' })
  const devices = await server.get('/v1/devices', accessToken)
  expect([401, 403]).toContain(devices.status)
})

test('a paired device refreshes with its client_id alone', async () => {
  await pair()
  const { accessToken, refreshToken } = (await (await consume()).json()) as PairingToken
  const { client_id: client } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: client })
  const response = await server.fetch('/oauth/v2/token', { method: 'POST', body })

  expect(response.status).toBe(200)
  const { access_token } = (await response.json()) as { access_token: string }
  expect((await server.post('/v1/position-reports', access_token, aReport())).status).toBe(202)
})

test('pairing again revokes the tokens of the earlier pairing', async () => {
  await pair()
  const earlier = (await (await consume()).json()) as PairingToken
  await pair()
  await consume()
  expect((await server.post('/v1/position-reports', earlier.accessToken, aReport())).status).toBe(401)
})

test('a second consumption is 404', async () => {
  const request = await pair()
  expect((await consume()).status).toBe(200)
  expect((await consume()).status).toBe(404)
  expect(await stateOf(request)).toBe('consumed')
})

test('the window is open at 59.9 s and closed at 60 s', async () => {
  await pair()
  server.clock.leap(59_900)
  expect((await consume()).status).toBe(200)
  const request = await pair()
  server.clock.leap(60_000)
  expect((await consume()).status).toBe(404)
  expect(await stateOf(request)).toBe('expired')
})

test('unknown, unpaired, expired, consumed and malformed-by-policy IDs get the same 404', async () => {
  await pair()
  await consume()
  const bodies = await Promise.all(
    ['roof1', 'roof2', 'nobody'].map(async (id) => (await consume(`?clientUniqueId=${id}`)).text()),
  )
  expect(new Set(bodies).size).toBe(1)
})

describe('clientUniqueId', () => {
  test.each([
    '',
    '?clientUniqueId=',
    '?clientUniqueId=a%20b',
    '?clientUniqueId=roof-1',
    '?clientUniqueId=urn:aa:device:fleet:roof1',
    '?clientUniqueId=%00',
    '?clientuniqueid=roof1',
    `?clientUniqueId=${'a'.repeat(256)}`,
    '?clientUniqueId=roof1&clientUniqueId=roof2',
    '?clientUniqueId[]=roof1',
  ])('"%s" is 400, and the error names the parameter', async (query) => {
    const response = await consume(query)
    const { errors } = (await response.json()) as { errors: { pointer: string }[] }
    expect([response.status, errors[0]?.pointer]).toEqual([400, '/query/clientUniqueId'])
  })

  test('of 255 letters and digits is accepted', async () => {
    expect((await consume(`?clientUniqueId=${'a'.repeat(255)}`)).status).toBe(404)
  })

  test('with the characters of real firmware is accepted under the compat policy', async () => {
    const compat = await aServer({ flags: { 'sensor-id-policy': 'compat' } })
    try {
      const path = '/v1/pairing-tokens/consume-token?clientUniqueId=imei:490154203237518'
      expect((await compat.fetch(path, { method: 'POST' })).status).toBe(404)
    } finally {
      await compat.stop()
    }
  })
})

test.each([
  ['no body and no type', {}],
  ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{' }],
  ['another type', { headers: { 'content-type': 'text/xml; x=y' }, body: '<a/>' }],
  ['invalid gzip', { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: 'x' }],
  ['2 MiB', { headers: { 'content-type': 'application/json' }, body: ' '.repeat(2 * 1024 * 1024) }],
])('a body is ignored: %s', async (_kind, init) => {
  await pair()
  expect((await consume('?clientUniqueId=roof1', { headers: {}, ...init })).status).toBe(200)
})

test('a GET request gets no token', async () => {
  await pair()
  const response = await consume('?clientUniqueId=roof1', { method: 'GET' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await consume()).status).toBe(200)
})

describe('a pairing request', () => {
  test('shows its device, its window and that it is pending', async () => {
    const request = await pair()
    expect(request).toEqual({
      id: expect.stringMatching(/^pr_/),
      deviceId: roof1,
      clientUniqueId: 'roof1',
      state: 'pending',
      expiresAt: new Date(server.clock.now() + 60_000).toISOString(),
      consumedBy: null,
      sources: 0,
    })
    expect(await stateOf(request)).toBe('pending')
    await cancel(request)
  })

  test('that is cancelled gives no token', async () => {
    const request = await pair()
    expect(await cancel(request)).toBe(204)
    expect((await consume()).status).toBe(404)
    expect(await stateOf(request)).toBe('expired')
  })

  test('that is cancelled after it was consumed stays consumed', async () => {
    const request = await pair()
    await consume()
    expect(await cancel(request)).toBe(204)
    expect(await stateOf(request)).toBe('consumed')
  })

  test('for a local ID that another account is pairing is 409, and the device gets the first one’s token', async () => {
    await pair(rivalRoof1, rival)
    const refused = await server.post('/v1/pairing-requests', await server.userToken(), { deviceId: roof1 })
    expect(refused.status).toBe(409)
    expect(((await (await consume()).json()) as PairingToken).sensorId).toBe(rivalRoof1)
  })

  test('for another account’s device is 404, as for an unknown one', async () => {
    const token = await server.userToken()
    for (const deviceId of [rivalRoof1, 'urn:aa:device:fleet:nobody']) {
      expect((await server.post('/v1/pairing-requests', token, { deviceId })).status).toBe(404)
    }
  })

  test('of another account cannot be read or cancelled', async () => {
    const request = await pair(rivalRoof1, rival)
    expect((await server.get(`/v1/pairing-requests/${request.id}`, await server.userToken())).status).toBe(404)
    expect(await cancel(request)).toBe(404)
    expect(((await (await consume()).json()) as PairingToken).sensorId).toBe(rivalRoof1)
  })

  test('requires a user with the scope', async () => {
    const path = '/v1/pairing-requests'
    const statuses = [
      (await server.fetch(path, { method: 'POST' })).status,
      (await server.post(path, await server.deviceToken(), { deviceId: roof1 })).status,
      (await server.post(path, await server.userToken(undefined, 'profile'), { deviceId: roof1 })).status,
    ]
    expect(statuses).toEqual([401, 401, 403])
  })
})

test('a request shows who fetched the tokens, and how many callers asked', async () => {
  const request = await pair()
  await consume('?clientUniqueId=roof1', { headers: { 'user-agent': 'posrep-agent/9\u00e9' } })
  await consume()
  const response = await server.get(`/v1/pairing-requests/${request.id}`, await server.userToken())
  expect(await response.json()).toMatchObject({
    state: 'consumed',
    consumedBy: { address: '127.0.0.1', userAgent: 'posrep-agent/9?', at: new Date(server.clock.now()).toISOString() },
    sources: 1,
  })
})

test('revoking the tokens of a device also revokes those of its pairing and its client', async () => {
  await pair()
  const { accessToken, refreshToken } = (await (await consume()).json()) as PairingToken
  const byClient = await server.deviceToken()
  await server.clock.advance(1_000)
  expect((await server.post(`/v1/devices/${roof1}/revoke-tokens`, await server.userToken())).status).toBe(204)

  const { client_id: client } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: client })
  expect((await server.fetch('/oauth/v2/token', { method: 'POST', body })).status).toBe(401)
  for (const token of [accessToken, byClient]) {
    expect((await server.post('/v1/position-reports', token, aReport())).status).toBe(401)
  }
})

test('all answers to devices have the same headers, and pages of other origins cannot read them', async () => {
  await pair()
  await consume()
  const facts = await Promise.all(
    ['roof1', 'roof2', 'nobody'].map(async (id) => {
      const response = await consume(`?clientUniqueId=${id}`, { headers: { origin: 'https://evil.example' } })
      return [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    }),
  )
  expect(facts[1]).toEqual(facts[0])
  expect(facts[2]).toEqual(facts[0])
  expect(Object.fromEntries(facts[0] ?? [])).not.toHaveProperty('access-control-allow-origin')
})

test('more than 5 calls a second for one ID get 429 with Retry-After', async () => {
  for (let n = 0; n < 5; n++) await consume()
  const refused = await consume()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(refused.headers.get('content-type')).toContain('application/problem+json')
})

test('one of 100 parallel calls gets tokens', async () => {
  await pair()
  const calls = Array.from({ length: 100 }, (_, n) =>
    server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof1', {
      method: 'POST',
      headers: { 'x-n': `${n}` },
    }),
  )
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => ![200, 404, 429].includes(status))).toEqual([])
})

test('a device can still pair when its tokens are revoked while the window is open', async () => {
  await pair()
  await server.post(`/v1/devices/${roof1}/revoke-tokens`, await server.userToken())
  await server.clock.advance(1)
  const { accessToken } = (await (await consume()).json()) as PairingToken
  expect((await server.post('/v1/position-reports', accessToken, aReport())).status).toBe(202)
})

test('an account gets 429 after 600 pairing requests in a minute, and other accounts do not', async () => {
  await server.clock.advance(60_000)
  const token = await server.userToken()
  const start = async (deviceId = roof1, by = token) =>
    (await server.post('/v1/pairing-requests', by, { deviceId })).status
  for (let n = 0; n < 600; n++) expect(await start()).toBe(201)

  expect(await start()).toBe(429)
  // The local ID is being paired in the other account.
  expect(await start(rivalRoof1, await server.userToken(rival))).toBe(409)
  await server.clock.advance(60_000)
  expect(await start()).toBe(201)
})
