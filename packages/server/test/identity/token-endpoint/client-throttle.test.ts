import { expect, test } from 'vitest'
import { anIdentity, deviceTokenRequest, fleetCredentials } from '../an-identity.ts'

const wrong = { ...deviceTokenRequest, client_secret: 'wrong' }

test('after 100 failed authentications of a client in a minute, wrong secrets get 429 and right ones pass', async () => {
  const identity = await anIdentity()
  for (let round = 0; round < 100; round++) expect((await identity.token(wrong)).status).toBe(401)

  const refused = await identity.token(wrong)
  const revocation = await identity.revoke({ ...fleetCredentials, client_secret: 'wrong', token: 'x' })

  expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable'])
  expect(refused.headers).toMatchObject({ 'Retry-After': '60', 'Cache-Control': 'no-store' })
  expect(revocation.status).toBe(429)
  expect((await identity.token(deviceTokenRequest)).status).toBe(200)
  expect((await identity.token({ ...wrong, client_id: 'partner' })).status).toBe(401)
  await identity.clock.advance(60_000)
  expect((await identity.token(wrong)).status).toBe(401)
})
