import { expect, test } from 'vitest'
import { hashSecret } from '../../../src/secrets.ts'
import { aClient, anIdentity, deviceTokenRequest } from '../an-identity.ts'

const refused = { status: 401, body: { error: 'invalid_client' } }
const withoutSecret = { ...deviceTokenRequest, client_id: undefined, client_secret: undefined }

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

test.each([
  ['a wrong secret', { client_secret: 's3cret-fleeT' }],
  ['an empty secret', { client_secret: '' }],
  ['no secret', { client_secret: undefined }],
  ["another client's secret", { client_secret: 's3cret-map-view' }],
  ['the hash as secret', { client_secret: hashSecret('s3cret-fleet') }],
  ['an unknown client', { client_id: 'nobody' }],
  ['the name of an object member', { client_id: '__proto__' }],
  ['no client', { client_id: undefined, client_secret: undefined }],
])('%s gets 401 invalid_client', async (_name, fields) => {
  const identity = await anIdentity()

  const answer = await identity.token({ ...deviceTokenRequest, ...fields })

  expect(answer).toMatchObject(refused)
  expect(answer.headers).toMatchObject({ 'Cache-Control': 'no-store' })
  expect(answer.headers).not.toHaveProperty('WWW-Authenticate')
})

test('a client can authenticate with HTTP Basic instead of the form', async () => {
  const identity = await anIdentity()

  expect((await identity.token(withoutSecret, basic('fleet', 's3cret-fleet'))).status).toBe(200)
  expect((await identity.token({ ...withoutSecret, client_id: 'fleet' }, basic('fleet', 's3cret-fleet'))).status).toBe(
    200,
  )
})

test.each([
  ['a wrong secret', basic('fleet', 'wrong')],
  ['an empty secret', basic('fleet', '')],
  ['no name', basic('', 's3cret-fleet')],
  ['no colon', `Basic ${Buffer.from('fleet').toString('base64')}`],
  ['no base64', 'Basic ###'],
  ['another scheme', 'Bearer abc'],
])('HTTP Basic with %s gets 401 and a Basic challenge', async (_name, authorization) => {
  const identity = await anIdentity()

  const answer = await identity.token(withoutSecret, authorization)

  expect(answer).toMatchObject(refused)
  expect(answer.headers['WWW-Authenticate']).toMatch(/^Basic /)
})

test('a request with both methods, or with two client IDs, is invalid_request', async () => {
  const identity = await anIdentity()
  const header = basic('fleet', 's3cret-fleet')

  for (const fields of [{ client_id: 'fleet', client_secret: 's3cret-fleet' }, { client_id: 'partner' }]) {
    expect(await identity.token({ ...withoutSecret, ...fields }, header)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  }
})

test('a secret with special characters is accepted both form-encoded (RFC 6749) and as it is', async () => {
  const identity = await anIdentity()
  const secret = 'a+b c%20d:ü%'
  const grants = ['client_credentials' as const]
  await identity.directory.insert(
    'client',
    aClient({ id: 'odd:name', secretHashes: [hashSecret(secret)], grants, partner: true }),
  )
  await identity.directory.insert(
    'client',
    aClient({ id: 'plain', secretHashes: [hashSecret(secret)], grants, partner: true }),
  )
  const request = { ...withoutSecret, device_id: 'odd1' }

  expect((await identity.token(request, basic('odd%3Aname', encodeURIComponent(secret)))).status).toBe(200)
  expect((await identity.token({ ...request, device_id: 'odd2' }, basic('plain', secret))).status).toBe(200)
})

test('a public client that sends a secret is refused', async () => {
  const identity = await anIdentity()
  const request = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'browser-app' }

  expect(await identity.token({ ...request, client_secret: 'guess' })).toMatchObject(refused)
  expect(await identity.token({ ...request, client_secret: '' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_grant' },
  })
})

test.each([
  ['missing', undefined, 'invalid_request'],
  ['empty', '', 'invalid_request'],
  ['repeated', ['refresh_token', 'refresh_token'], 'invalid_request'],
  ['password', 'password', 'unsupported_grant_type'],
  ['implicit', 'implicit', 'unsupported_grant_type'],
  ['in upper case', 'CLIENT_CREDENTIALS', 'unsupported_grant_type'],
  ['the name of an object member', 'constructor', 'unsupported_grant_type'],
])('a grant_type that is %s is refused', async (_name, grantType, error) => {
  const identity = await anIdentity()

  expect(await identity.token({ ...deviceTokenRequest, grant_type: grantType })).toMatchObject({
    status: 400,
    body: { error },
  })
})

test('the audit log records a refused client without its secret', async () => {
  const identity = await anIdentity()

  await identity.token({ ...deviceTokenRequest, client_secret: 'not-this-one' })

  expect(identity.audited).toEqual([{ event: 'client-refused', clientId: 'fleet', address: '192.0.2.7' }])
})

test("the audit log records at most 100 characters of a refused client's ID", async () => {
  const identity = await anIdentity()

  await identity.token({ ...deviceTokenRequest, client_id: 'x'.repeat(50_000) })

  expect(identity.audited).toEqual([{ event: 'client-refused', clientId: 'x'.repeat(100), address: '192.0.2.7' }])
})

test.each(['Bearer eyJ.old.token', 'Negotiate abc', 'DPoP abc', 'Basically abc'])(
  'a header "%s", which an interceptor or a proxy has added, is not a credential of the client',
  async (authorization) => {
    const identity = await anIdentity()

    const { status } = await identity.token({ ...deviceTokenRequest }, authorization)
    expect(status).toBe(200)
    const wrong = await identity.token({ ...deviceTokenRequest, client_secret: 'wrong' }, authorization)
    expect(wrong).toMatchObject(refused)
  },
)

test.each(['s3cret: with ünïcode', 'per%cent', 'a+b c', 'per%20cent'])(
  'the secret "%s" is accepted as UTF-8, form-encoded and not, and as ISO 8859-1',
  async (secret) => {
    const identity = await anIdentity()
    await identity.directory.update('client', 'fleet', (fleet) => ({ ...fleet, secretHashes: [hashSecret(secret)] }))
    const formEncoded = new URLSearchParams({ '': secret }).toString().slice(1)
    const pairs = [
      Buffer.from(`fleet:${secret}`),
      Buffer.from(`fleet:${formEncoded}`),
      Buffer.from(`fleet:${encodeURIComponent(secret)}`),
      Buffer.from(`fleet:${secret}`, 'latin1'),
    ]

    for (const pair of pairs)
      for (const scheme of ['Basic', 'basic', 'BASIC '])
        expect((await identity.token(withoutSecret, `${scheme} ${pair.toString('base64')}`)).status).toBe(200)
  },
)
