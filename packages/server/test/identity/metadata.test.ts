import { createPublicKey, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { anIdentity, deviceTokenRequest, origins } from './an-identity.ts'

test('the metadata names the endpoints under the issuer', async () => {
  const { operations } = await anIdentity()

  const { body } = await operations.getAuthorizationServerMetadata({} as never)

  expect(body).toMatchObject({
    issuer: origins.auth,
    token_endpoint: `${origins.auth}/oauth/v2/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
})

test('the key set has one public key for access tokens and one for relay messages, and no private key', async () => {
  const identity = await anIdentity()

  const { body } = (await identity.operations.getJwks({} as never)) as { body: { keys: Record<string, string>[] } }

  expect(body.keys.map(({ kty, alg, use, crv }) => ({ kty, alg, use, crv }))).toEqual(
    expect.arrayContaining([
      { kty: 'EC', alg: 'ES256', use: 'sig', crv: 'P-256' },
      { kty: 'OKP', alg: 'EdDSA', use: 'sig', crv: 'Ed25519' },
    ]),
  )
  for (const key of body.keys) expect(key).not.toHaveProperty('d')
  const { body: tokens } = await identity.token(deviceTokenRequest)
  const [header = ''] = (tokens.access_token ?? '').split('.')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  expect(body.keys.find((key) => key.kid === kid)?.alg).toBe('ES256')
})

test('a relay message is signed with the key of the key set', async () => {
  const { operations, getRelayMessageKey } = await anIdentity()
  const { kid, key } = getRelayMessageKey()
  const { body } = (await operations.getJwks({} as never)) as { body: { keys: Record<string, string>[] } }
  const jwk = body.keys.find((one) => one.kid === kid)
  const message = Buffer.from('id.time.body')

  const signature = sign(null, message, key)

  expect(signature).toHaveLength(64)
  expect(verify(null, message, createPublicKey({ key: jwk ?? {}, format: 'jwk' }), signature)).toBe(true)
})
