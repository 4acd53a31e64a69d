import { describe, expect, test } from 'vitest'
import { anIdentity, deviceTokenRequest, fleetCredentials, mapViewCredentials } from '../an-identity.ts'
import { type StorageUnderTest, storages } from '../stores.ts'

async function deviceTokens(open: StorageUnderTest['open']) {
  const identity = await anIdentity({ open })
  const { body } = await identity.token(deviceTokenRequest)
  return { identity, accessToken: body.access_token ?? '', refreshToken: body.refresh_token ?? '' }
}

const done = { status: 200, body: {} }

describe.each(storages)('on $name', ({ open }) => {
  test('revoking a refresh token ends its family and the access tokens of that family', async () => {
    const { identity, accessToken, refreshToken } = await deviceTokens(open)
    await identity.verifyAccessToken(accessToken, 'device')

    expect(await identity.revoke({ token: refreshToken, ...fleetCredentials })).toMatchObject(done)

    expect((await identity.refresh(refreshToken, fleetCredentials)).status).toBe(401)
    await expect(identity.verifyAccessToken(accessToken, 'device')).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('revoking an access token ends that token alone, whatever the hint says', async () => {
    const { identity, accessToken, refreshToken } = await deviceTokens(open)

    await identity.revoke({ token: accessToken, token_type_hint: 'refresh_token', ...fleetCredentials })

    await expect(identity.verifyAccessToken(accessToken, 'device')).rejects.toMatchObject({ code: 'invalid_token' })
    expect((await identity.refresh(refreshToken, fleetCredentials)).status).toBe(200)
  })

  test("unknown tokens and another client's tokens get the same answer, and nothing changes", async () => {
    const { identity, accessToken, refreshToken } = await deviceTokens(open)

    for (const token of ['unknown', accessToken, refreshToken]) {
      expect(await identity.revoke({ token, ...mapViewCredentials })).toMatchObject(done)
    }
    await identity.verifyAccessToken(accessToken, 'device')
    expect((await identity.refresh(refreshToken, fleetCredentials)).status).toBe(200)
  })

  test('a client must authenticate to revoke, except for tokens from pairing', async () => {
    const { identity, refreshToken } = await deviceTokens(open)
    const paired = await identity.issueDeviceTokens(identity.roof)

    for (const fields of [{ client_id: 'fleet' }, { client_id: 'fleet', client_secret: 'wrong' }, {}]) {
      expect(await identity.revoke({ token: refreshToken, ...fields })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      })
    }
    expect(await identity.revoke({ token: paired.refreshToken, client_id: 'fleet' })).toMatchObject(done)
    expect((await identity.refresh(paired.refreshToken, { client_id: 'fleet' })).status).toBe(401)
  })

  test('a device whose tokens are revoked 256 times loses all of them at the next time, and then gets new ones', async () => {
    const { identity, refreshToken } = await deviceTokens(open)
    const revokeNext = async () => {
      const { body } = await identity.token(deviceTokenRequest)
      await identity.revoke({ token: body.access_token, ...fleetCredentials })
      await identity.revoke({ token: body.refresh_token, ...fleetCredentials })
    }
    for (let n = 0; n < 128; n++) await revokeNext()
    const refreshed = await identity.refresh(refreshToken, fleetCredentials)
    await revokeNext()

    expect(refreshed.status).toBe(200)
    expect((await identity.refresh(refreshed.body.refresh_token, fleetCredentials)).status).toBe(401)
    const { status, body } = await identity.token(deviceTokenRequest)
    expect([status, (await identity.refresh(body.refresh_token, fleetCredentials)).status]).toEqual([200, 200])
  })

  test('a revocation without a token is invalid_request', async () => {
    const identity = await anIdentity({ open })

    expect(await identity.revoke(fleetCredentials)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})
