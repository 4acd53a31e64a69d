import { expect, test } from 'vitest'
import { anIdentity, clients, deviceTokenRequest, fleetCredentials } from '../an-identity.ts'

const asPartner = { ...deviceTokenRequest, client_id: 'partner', client_secret: 's3cret-partner' }

test('a registered sensor gets a device token with its URN, for a day', async () => {
  const identity = await anIdentity()

  const { status, headers, body } = await identity.token({ ...deviceTokenRequest, state: 's', surprise: 'ignored' })

  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: 86_400, state: 's', scope: 'surveillance_api' })
  expect(await identity.verifyAccessToken(body.access_token ?? '', 'device')).toMatchObject({
    kind: 'device',
    deviceUrn: 'urn:aa:device:acme:roof1',
    clientId: 'fleet',
  })
})

test('scope and token_format may be left out', async () => {
  const identity = await anIdentity()

  const answer = await identity.token({ ...deviceTokenRequest, scope: undefined, token_format: '' })

  expect(answer).toMatchObject({ status: 200, body: { scope: 'surveillance_api' } })
})

test('a new token does not end the earlier ones', async () => {
  const identity = await anIdentity()
  const first = await identity.token(deviceTokenRequest)
  await identity.token(deviceTokenRequest)

  await identity.verifyAccessToken(first.body.access_token ?? '', 'device')
  expect((await identity.refresh(first.body.refresh_token, fleetCredentials)).status).toBe(200)
})

test.each([
  ['another token format', { token_format: 'opaque' }, 'invalid_request'],
  ['no sensor', { device_id: undefined }, 'invalid_request'],
  ['an unregistered sensor', { device_id: 'roof2' }, 'invalid_request'],
  ['256 characters', { device_id: 'a'.repeat(256) }, 'invalid_request'],
  ['characters that are not alphanumeric', { device_id: 'roof-1' }, 'invalid_request'],
  ['another case', { device_id: 'ROOF1' }, 'invalid_request'],
  ['a scope that is not its own', { scope: 'surveillance_api admin' }, 'invalid_scope'],
  ['10 kB of scope', { scope: 'a '.repeat(5_000) }, 'invalid_scope'],
])('a request with %s is refused', async (_name, fields, error) => {
  const identity = await anIdentity()

  const answer = await identity.token({ ...deviceTokenRequest, ...fields })

  expect(answer).toMatchObject({ status: 400, body: { error } })
})

test('sensors of another client or account are refused like an unregistered one', async () => {
  const identity = await anIdentity()
  const asRival = { ...deviceTokenRequest, client_id: 'rival', client_secret: 's3cret-rival' }

  const unregistered = await identity.token({ ...deviceTokenRequest, device_id: 'roof2' })

  expect((await identity.token(asPartner)).body).toEqual(unregistered.body)
  expect((await identity.token(asRival)).body).toEqual(unregistered.body)
})

test("concurrent first requests of a partner's sensor register it once", async () => {
  const identity = await anIdentity()

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => identity.token({ ...asPartner, device_id: 'tower7' })),
  )

  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(await identity.devices.findByLocalId('acme', 'tower7')).toMatchObject({
    id: 'urn:aa:device:acme:tower7',
    clientId: 'partner',
  })
  expect((await identity.token({ ...asPartner, device_id: 'not valid' })).status).toBe(400)
})

test('with the compat policy, a sensor may use the IDs of real firmware', async () => {
  const identity = await anIdentity({ sensorIdPolicy: 'compat' })

  expect((await identity.token({ ...asPartner, device_id: 'imei:123' })).status).toBe(200)
})

test('a grant for which the client is not registered is unauthorized_client', async () => {
  const identity = await anIdentity()
  const byUserClient = { ...deviceTokenRequest, client_id: 'map-view', client_secret: 's3cret-map-view' }
  const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://a.example', ...fleetCredentials }

  for (const request of [byUserClient, code]) {
    expect(await identity.token(request)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  }
})

test('a client without a secret gets no device tokens, even if it is registered for the grant', async () => {
  const identity = await anIdentity()
  await identity.directory.insert('client', { ...clients.fleet, id: 'open', secretHashes: [] })

  const answer = await identity.token({ ...deviceTokenRequest, client_id: 'open', client_secret: undefined })

  expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
})

test('a device that was removed or moved to another client cannot refresh its token', async () => {
  const identity = await anIdentity()
  const { body } = await identity.token(deviceTokenRequest)
  await identity.directory.remove('device', identity.roof.id)

  expect(await identity.refresh(body.refresh_token, fleetCredentials)).toMatchObject({
    status: 401,
    body: { error: 'invalid_grant' },
  })
})
