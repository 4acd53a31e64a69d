import { describe, expect, test } from 'vitest'
import { anIdentity, deviceTokenRequest, fleetCredentials } from '../an-identity.ts'
import { storages } from '../stores.ts'

const dead = { status: 401, body: { error: 'invalid_grant' } }
const byName = { client_id: 'fleet' }
const dayMs = 24 * 60 * 60_000

describe.each(storages)('on $name', ({ open }) => {
  test('a paired device gets its own tokens, valid for a day', async () => {
    const identity = await anIdentity({ open })

    const { accessToken, expiresAtMs } = await identity.issueDeviceTokens(identity.roof)

    expect(expiresAtMs - identity.clock.now()).toBe(dayMs)
    expect(await identity.verifyAccessToken(accessToken, 'device')).toMatchObject({
      deviceUrn: identity.roof.id,
      clientId: 'fleet',
      scopes: ['surveillance_api'],
    })
  })

  test("a paired device refreshes with its client's ID alone or with the client's secret", async () => {
    const identity = await anIdentity({ open })
    const paired = await identity.issueDeviceTokens(identity.roof)

    const first = await identity.refresh(paired.refreshToken, byName)
    const second = await identity.refresh(first.body.refresh_token, fleetCredentials)

    expect(first).toMatchObject({ status: 200, body: { expires_in: 86_400 } })
    expect(second.status).toBe(200)
  })

  test("a paired token with a wrong secret or another client's ID is refused and stays valid", async () => {
    const identity = await anIdentity({ open })
    const { refreshToken } = await identity.issueDeviceTokens(identity.roof)

    const wrong = await identity.refresh(refreshToken, { ...byName, client_secret: 'wrong' })
    const other = await identity.refresh(refreshToken, { client_id: 'partner' })

    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(other).toMatchObject(dead)
    expect((await identity.refresh(refreshToken, byName)).status).toBe(200)
  })

  test('a token issued for a secret cannot be refreshed without it', async () => {
    const identity = await anIdentity({ open })
    const { body } = await identity.token(deviceTokenRequest)

    expect(await identity.refresh(body.refresh_token, byName)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
  })

  test('pairing again ends the tokens of the earlier pairing, and no others', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.token(deviceTokenRequest)
    const first = await identity.issueDeviceTokens(identity.roof)
    const refreshed = await identity.refresh(first.refreshToken, byName)

    const second = await identity.issueDeviceTokens(identity.roof)

    expect(await identity.refresh(refreshed.body.refresh_token, byName)).toMatchObject(dead)
    await expect(identity.verifyAccessToken(first.accessToken, 'device')).rejects.toMatchObject({
      code: 'invalid_token',
    })
    expect((await identity.refresh(second.refreshToken, byName)).status).toBe(200)
    expect((await identity.refresh(other.body.refresh_token, fleetCredentials)).status).toBe(200)
  })

  test('two concurrent pairings leave one valid family', async () => {
    const identity = await anIdentity({ open })

    const pairs = await Promise.all([1, 2, 3].map(() => identity.issueDeviceTokens(identity.roof)))
    const answers = await Promise.all(pairs.map(({ refreshToken }) => identity.refresh(refreshToken, byName)))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a paired family in use lives longer than 90 days, and a replay ends it', async () => {
    const identity = await anIdentity({ open })
    const { refreshToken } = await identity.issueDeviceTokens(identity.roof)
    let last = refreshToken
    for (let turn = 0; turn < 3; turn++) {
      await identity.clock.advance(80 * dayMs)
      last = (await identity.refresh(last, byName)).body.refresh_token ?? ''
    }
    expect(last).not.toBe('')

    expect(await identity.refresh(refreshToken, byName)).toMatchObject(dead)
    expect(await identity.refresh(last, byName)).toMatchObject(dead)
  })
})
