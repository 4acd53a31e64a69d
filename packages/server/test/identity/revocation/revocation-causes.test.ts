/** Tests revocation for every cause, on every storage, in the process that revokes and in another one. */
import { describe, expect, test } from 'vitest'
import type { RevocationCause } from '../../../src/identity/revocation/revocation-subject.ts'
import type { Client, DeviceRecord, User } from '../../../src/ports/storage/directory.ts'
import { hashSecret } from '../../../src/secrets.ts'
import { aBrowser, serve } from '../a-browser.ts'
import {
  anIdentity,
  deviceTokenRequest,
  fleetCredentials,
  mapViewCredentials,
  pilot,
  type TestIdentity,
} from '../an-identity.ts'
import { aCode, codeRequest, deviceTokens, pairedTokens, refreshOf, stateOf, userTokens } from '../issued-tokens.ts'
import { storages } from '../stores.ts'

const dead = { status: 401, body: { error: 'invalid_grant' } }
const roofUrn = 'urn:aa:device:acme:roof1'
const dayMs = 24 * 60 * 60_000

/** Lets all other due work run first. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

interface Cause {
  cause: string
  tokens(identity: TestIdentity): ReturnType<typeof userTokens>
  revocation: RevocationCause
}

const consent = { kind: 'consent', userId: pilot.id, clientId: 'map-view' } as const
const causes: Cause[] = [
  { cause: 'a changed password', tokens: userTokens, revocation: { kind: 'user', userId: pilot.id } },
  { cause: 'a withdrawn approval', tokens: userTokens, revocation: consent },
  { cause: "a user's client", tokens: userTokens, revocation: { kind: 'client', clientId: 'map-view' } },
  { cause: "a sensor's client", tokens: deviceTokens, revocation: { kind: 'client', clientId: 'fleet' } },
  { cause: "a paired sensor's client", tokens: pairedTokens, revocation: { kind: 'client', clientId: 'fleet' } },
  { cause: 'a sensor', tokens: deviceTokens, revocation: { kind: 'device', deviceUrn: roofUrn } },
  { cause: 'a paired sensor', tokens: pairedTokens, revocation: { kind: 'device', deviceUrn: roofUrn } },
]

describe.each(storages)('on $name', ({ open }) => {
  test.each(causes)('$cause ends the tokens at once here and within a second elsewhere', async (given) => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const tokens = await given.tokens(identity)
    expect([await stateOf(identity, tokens), await stateOf(other, tokens)]).toEqual(['valid', 'valid'])

    await identity.end(given.revocation)

    expect(await stateOf(identity, tokens)).toBe('invalid_token')
    expect(await refreshOf(other, tokens)).toMatchObject(dead)
    expect(await refreshOf(identity, tokens)).toMatchObject(dead)
    await identity.clock.advance(1_000)
    expect(await stateOf(other, tokens)).toBe('invalid_token')
  })

  test.each(causes)('tokens issued after $cause was revoked are valid, even in the same millisecond', async (given) => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const before = await given.tokens(identity)
    await identity.end(given.revocation)

    const after = await given.tokens(identity)
    await identity.end(given.revocation)
    const last = await given.tokens(identity)

    expect(await Promise.all([before, after, last].map((tokens) => stateOf(identity, tokens)))).toEqual([
      'invalid_token',
      'invalid_token',
      'valid',
    ])
    await identity.clock.advance(1_000)
    expect(await stateOf(other, last)).toBe('valid')
    expect((await refreshOf(other, last)).status).toBe(200)
  })

  test('a process that has not read a revocation yet issues tokens that are valid after it', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    await identity.end({ kind: 'client', clientId: 'fleet' })
    await identity.end({ kind: 'user', userId: pilot.id })

    const device = await deviceTokens(other)
    const user = await userTokens(other)

    expect(await Promise.all([device, user].map((tokens) => stateOf(identity, tokens)))).toEqual(['valid', 'valid'])
    expect((await refreshOf(other, device)).status).toBe(200)
    expect((await refreshOf(other, user)).status).toBe(200)
  })

  test('a revocation is permanent: the tokens stay revoked after weeks, also in a process that starts then', async () => {
    const identity = await anIdentity({ open })
    const [user, device] = [await userTokens(identity), await deviceTokens(identity)]
    await identity.end({ kind: 'user', userId: pilot.id })
    await identity.end({ kind: 'device', deviceUrn: roofUrn })

    const started = await identity.another()
    expect([await stateOf(started, user), await stateOf(started, device)]).toEqual(['invalid_token', 'invalid_token'])

    await identity.clock.advance(29 * dayMs)
    expect(await refreshOf(identity, user)).toMatchObject(dead)
    await identity.clock.advance(60 * dayMs)
    expect(await refreshOf(identity, device)).toMatchObject(dead)
  })

  test('the revocation of one user, client or sensor does not affect others', async () => {
    const identity = await anIdentity({ open })
    const [user, device] = [await userTokens(identity), await deviceTokens(identity)]

    await identity.end({ kind: 'user', userId: 'user-other' })
    await identity.end({ kind: 'client', clientId: 'rival' })
    await identity.end({ kind: 'device', deviceUrn: `${roofUrn}0` })
    await identity.end({ kind: 'consent', userId: pilot.id, clientId: 'rival' })

    expect([await stateOf(identity, user), await stateOf(identity, device)]).toEqual(['valid', 'valid'])
    expect((await refreshOf(identity, user)).status).toBe(200)
    expect((await refreshOf(identity, device)).status).toBe(200)
  })

  test('a code that was approved before a password change is refused', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const code = await aCode(identity)

    await identity.end({ kind: 'user', userId: pilot.id })

    expect(await other.token(codeRequest(code))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await other.token(codeRequest(await aCode(other)))).status).toBe(200)
  })

  test.each([1, 2, 3])('no refresh issues tokens after a password change has committed, round %i', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const first = await userTokens(identity)
    let isCommitted = false
    const minted: { accessToken: string; late: boolean }[] = []

    async function keepRefreshing(): Promise<void> {
      let { refreshToken } = first
      for (;;) {
        const late = isCommitted
        const { status, body } = await other.refresh(refreshToken)
        if (status !== 200) return
        minted.push({ accessToken: body.access_token ?? '', late })
        refreshToken = body.refresh_token ?? ''
        // The memory storage never waits for I/O: without this, the password change would never run.
        await turn()
      }
    }
    async function changePassword(): Promise<void> {
      while (minted.length < 3) await turn()
      await identity.end({ kind: 'user', userId: pilot.id })
      isCommitted = true
    }
    await Promise.all([keepRefreshing(), changePassword()])

    expect(minted.filter(({ late }) => late)).toEqual([])
    await identity.clock.advance(1_000)
    for (const { accessToken } of minted) {
      expect(await stateOf(other, { accessToken, audience: 'user' })).toBe('invalid_token')
    }
  })

  test('pairing again ends the tokens of the earlier pairing in every process', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const first = await pairedTokens(identity)
    expect(await stateOf(other, first)).toBe('valid')

    await identity.issueDeviceTokens(identity.roof)

    expect(await stateOf(identity, first)).toBe('invalid_token')
    expect(await refreshOf(other, first)).toMatchObject(dead)
    await identity.clock.advance(1_000)
    expect(await stateOf(other, first)).toBe('invalid_token')
  })

  test('a replayed code and a reused refresh token end their tokens in every process', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const code = await aCode(identity)
    const byCode = (await identity.token(codeRequest(code))).body.access_token ?? ''
    const reused = await deviceTokens(identity)
    await refreshOf(identity, reused)
    expect(await stateOf(other, reused)).toBe('valid')

    await identity.token(codeRequest(code))
    await identity.clock.advance(30_000)
    await refreshOf(identity, reused)
    await identity.clock.advance(1_000)

    expect(await stateOf(other, { accessToken: byCode, audience: 'user' })).toBe('invalid_token')
    expect(await stateOf(other, reused)).toBe('invalid_token')
  })

  test('a single revoked access token is invalid in every process, and its family stays valid', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const tokens = await deviceTokens(identity)

    await identity.revoke({ token: tokens.accessToken, ...fleetCredentials })
    await identity.clock.advance(1_000)

    expect(await stateOf(other, tokens)).toBe('invalid_token')
    expect((await refreshOf(other, tokens)).status).toBe(200)
  })

  describe('disabled or removed', () => {
    const refused = { status: 401, body: { error: 'invalid_client' } }
    const noDevice = { status: 400, body: { error: 'invalid_request' } }

    test('a disabled user gets no tokens from an earlier code or a refresh', async () => {
      const identity = await anIdentity({ open })
      const [tokens, code] = [await userTokens(identity), await aCode(identity)]
      await identity.directory.update('user', pilot.id, (user): User => ({ ...user, disabled: true }))

      expect(await refreshOf(identity, tokens)).toMatchObject(dead)
      expect(await identity.token(codeRequest(code))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      const browser = aBrowser(await serve(identity))
      expect((await browser.signIn(await browser.authorize())).html).not.toContain('Approve')
    })

    test('a disabled client is 401 invalid_client for every grant, and unknown to authorize', async () => {
      const identity = await anIdentity({ open })
      const [user, device] = [await userTokens(identity), await deviceTokens(identity)]
      const [paired, code] = [await pairedTokens(identity), await aCode(identity)]
      for (const id of ['fleet', 'map-view']) {
        await identity.directory.update('client', id, (client): Client => ({ ...client, disabled: true }))
      }

      expect(await identity.token(deviceTokenRequest)).toMatchObject(refused)
      expect(await identity.token(codeRequest(code))).toMatchObject(refused)
      for (const tokens of [user, device, paired]) expect(await refreshOf(identity, tokens)).toMatchObject(refused)
      await expect(identity.issueDeviceTokens(identity.roof)).rejects.toMatchObject({ code: 'pairing_not_found' })
      const page = await aBrowser(await serve(identity)).authorize()
      expect([page.status, page.location]).toEqual([400, undefined])
    })

    test('a blocked sensor gets no tokens, and gets new ones once it is unblocked', async () => {
      const identity = await anIdentity({ open })
      const [device, paired] = [await deviceTokens(identity), await pairedTokens(identity)]
      const block = (blocked: boolean) =>
        identity.directory.update('device', roofUrn, (record): DeviceRecord => ({ ...record, blocked }))
      await block(true)
      await identity.end({ kind: 'device', deviceUrn: roofUrn })

      expect(await identity.token(deviceTokenRequest)).toMatchObject(noDevice)
      await expect(identity.issueDeviceTokens(identity.roof)).rejects.toMatchObject({ code: 'pairing_not_found' })
      for (const tokens of [device, paired]) {
        expect(await stateOf(identity, tokens)).toBe('invalid_token')
        expect(await refreshOf(identity, tokens)).toMatchObject(dead)
      }

      await block(false)
      expect(await stateOf(identity, await deviceTokens(identity))).toBe('valid')
      expect(await stateOf(identity, await pairedTokens(identity))).toBe('valid')
    })

    test('a removed user, client or sensor is treated as a disabled one', async () => {
      const identity = await anIdentity({ open })
      const [user, device] = [await userTokens(identity), await deviceTokens(identity)]
      const paired = await pairedTokens(identity)

      await identity.directory.remove('device', roofUrn)
      expect(await identity.token(deviceTokenRequest)).toMatchObject(noDevice)
      for (const tokens of [device, paired]) expect(await refreshOf(identity, tokens)).toMatchObject(dead)
      await identity.directory.remove('user', pilot.id)
      expect(await refreshOf(identity, user)).toMatchObject(dead)
      await identity.directory.remove('client', 'map-view')
      expect(await refreshOf(identity, user)).toMatchObject(refused)
    })

    test('two client secrets are both valid until the old one is dropped', async () => {
      const identity = await anIdentity({ open })
      const setSecrets = (...secrets: string[]) =>
        identity.directory.update('client', 'map-view', (client) => ({
          ...client,
          secretHashes: secrets.map(hashSecret),
        }))
      const old = mapViewCredentials.client_secret
      const ask = async (secret: string) =>
        (
          await identity.token({
            grant_type: 'refresh_token',
            refresh_token: 'x',
            client_id: 'map-view',
            client_secret: secret,
          })
        ).body.error

      await setSecrets('new', old)
      expect([await ask('new'), await ask(old)]).toEqual(['invalid_grant', 'invalid_grant'])
      await setSecrets('new')
      expect([await ask('new'), await ask(old)]).toEqual(['invalid_grant', 'invalid_client'])
    })
  })
})

test('the audit log records revocations without the tokens', async () => {
  const identity = await anIdentity()
  const tokens = await deviceTokens(identity)
  const paired = await pairedTokens(identity)

  await identity.revoke({ token: tokens.accessToken, ...fleetCredentials })
  await identity.revoke({ token: tokens.refreshToken, ...fleetCredentials })
  await identity.end({ kind: 'client', clientId: 'fleet' })
  await refreshOf(identity, paired)

  expect(identity.audited).toMatchObject([
    { event: 'tokens-issued', grant: 'client_credentials' },
    { event: 'tokens-issued', grant: 'pairing', subject: roofUrn },
    { event: 'revoked', revocation: { kind: 'token' }, clientId: 'fleet' },
    { event: 'revoked', revocation: { kind: 'family' }, clientId: 'fleet' },
    { event: 'revoked', revocation: { kind: 'client', clientId: 'fleet' } },
  ])
  const noted = JSON.stringify(identity.audited)
  for (const { accessToken, refreshToken } of [tokens, paired]) {
    expect(noted).not.toContain(accessToken)
    expect(noted).not.toContain(refreshToken)
  }
})
