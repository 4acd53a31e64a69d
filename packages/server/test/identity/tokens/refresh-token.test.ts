import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import { aBrowser, authorizationRequest, serve } from '../a-browser.ts'
import {
  anIdentity,
  deviceTokenRequest,
  fleetCredentials,
  type IdentityTestOptions,
  mapViewCredentials,
  pilot,
  type TestIdentity,
} from '../an-identity.ts'
import { storages } from '../stores.ts'

const dayMs = 24 * 60 * 60_000
const dead = { status: 401, body: { error: 'invalid_grant' } }

async function signedIn(options: IdentityTestOptions = {}) {
  const identity = await anIdentity(options)
  return { identity, tokens: await userTokens(identity) }
}

async function userTokens(identity: TestIdentity) {
  const callback = await aBrowser(await serve(identity)).approve({ scope: 'surveillance_api profile' })
  const code = callback.searchParams.get('code')
  const redirect = { redirect_uri: authorizationRequest.redirect_uri }
  return (await identity.token({ grant_type: 'authorization_code', code, ...redirect, ...mapViewCredentials })).body
}

describe.each(storages)('on $name', ({ open }) => {
  test('a refresh replaces both tokens and returns the state', async () => {
    const { identity, tokens } = await signedIn({ open })

    const { status, body } = await identity.refresh(tokens.refresh_token, { ...mapViewCredentials, state: 's1' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900, state: 's1' })
    expect(body.refresh_token).not.toBe(tokens.refresh_token)
    expect(body.access_token).not.toBe(tokens.access_token)
    expect(await identity.verifyAccessToken(body.access_token ?? '', 'user')).toMatchObject({ userId: pilot.id })
  })

  test('a used token gets the same pair within 30 s while its successor is unused', async () => {
    const { identity, tokens } = await signedIn({ open })
    const first = await identity.refresh(tokens.refresh_token)

    await identity.clock.advance(29_999)
    const again = await identity.refresh(tokens.refresh_token)

    expect(again.status).toBe(200)
    expect(again.body.refresh_token).toBe(first.body.refresh_token)
    expect(again.body.access_token).toBe(first.body.access_token)
    expect(again.body.expires_in).toBe(871)
    expect(identity.audited.map(({ event }) => event).slice(-2)).toEqual(['refreshed', 'refresh-repeated'])
    expect((await identity.refresh(first.body.refresh_token)).status).toBe(200)
  })

  test('a used token ends its family after the grace period', async () => {
    const { identity, tokens } = await signedIn({ open })
    const first = await identity.refresh(tokens.refresh_token)

    await identity.clock.advance(30_000)

    expect(await identity.refresh(tokens.refresh_token)).toMatchObject(dead)
    expect(await identity.refresh(first.body.refresh_token)).toMatchObject(dead)
    await expect(identity.verifyAccessToken(first.body.access_token ?? '', 'user')).rejects.toMatchObject({
      code: 'invalid_token',
    })
    expect(identity.audited.map(({ event }) => event)).toContain('refresh-replayed')
  })

  test('a token two generations old ends its family, even within the grace period', async () => {
    const { identity, tokens } = await signedIn({ open })
    const first = await identity.refresh(tokens.refresh_token)
    const second = await identity.refresh(first.body.refresh_token)

    expect(await identity.refresh(tokens.refresh_token)).toMatchObject(dead)
    expect(await identity.refresh(second.body.refresh_token)).toMatchObject(dead)
  })

  test('with a grace period of 0, a second use ends the family', async () => {
    const { identity, tokens } = await signedIn({ open, refreshGraceMs: 0 })
    const first = await identity.refresh(tokens.refresh_token)

    expect(await identity.refresh(tokens.refresh_token)).toMatchObject(dead)
    expect(await identity.refresh(first.body.refresh_token)).toMatchObject(dead)
  })

  test('100 parallel refreshes with one token give one successor pair, and the family stays valid', async () => {
    const { identity, tokens } = await signedIn({ open })

    const answers = await Promise.all(Array.from({ length: 100 }, () => identity.refresh(tokens.refresh_token)))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await identity.refresh(answers[0]?.body.refresh_token)).status).toBe(200)
  })

  test("another client's token is refused and changes nothing", async () => {
    const { identity, tokens } = await signedIn({ open })

    expect(
      await identity.refresh(tokens.refresh_token, { client_id: 'rival', client_secret: 's3cret-rival' }),
    ).toMatchObject(dead)
    expect((await identity.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('a made-up token of a known family ID is refused and changes nothing', async () => {
    const { identity, tokens } = await signedIn({ open })
    const principal = await identity.verifyAccessToken(tokens.access_token ?? '', 'user')
    const familyId = principal.tokenId.split('.')[0]

    expect(await identity.refresh(`${familyId}.${'a'.repeat(43)}`)).toMatchObject(dead)
    expect((await identity.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test.each(['nonsense', 'a.b', 'x'.repeat(5000), '__proto__'])('the text "%s" is an invalid token', async (text) => {
    const identity = await anIdentity({ open })

    expect(await identity.refresh(text)).toMatchObject(dead)
  })

  test("a user's token may stay unused for 30 days and ends after 180 days, however often it is used", async () => {
    const { identity, tokens } = await signedIn({ open })
    let refreshToken = tokens.refresh_token
    for (let day = 0; day < 174; day += 29) {
      await identity.clock.advance(29 * dayMs)
      const { status, body } = await identity.refresh(refreshToken)
      expect(status).toBe(200)
      refreshToken = body.refresh_token
    }

    await identity.clock.advance(6 * dayMs)

    expect(await identity.refresh(refreshToken)).toMatchObject(dead)
  })

  test('a token that was not used for 30 days is invalid', async () => {
    const { identity, tokens } = await signedIn({ open })
    await identity.clock.advance(30 * dayMs)

    expect(await identity.refresh(tokens.refresh_token)).toMatchObject(dead)
  })

  test("a device's token may stay unused for 90 days and has no other end", async () => {
    const identity = await anIdentity({ open })
    let refreshToken = (await identity.token(deviceTokenRequest)).body.refresh_token
    for (let turn = 0; turn < 5; turn++) {
      await identity.clock.advance(89 * dayMs)
      const { status, body } = await identity.refresh(refreshToken, fleetCredentials)
      expect(status).toBe(200)
      refreshToken = body.refresh_token
    }

    await identity.clock.advance(90 * dayMs)

    expect(await identity.refresh(refreshToken, fleetCredentials)).toMatchObject(dead)
  })

  test('a refresh can request fewer scopes than were granted, and no others', async () => {
    const { identity, tokens } = await signedIn({ open })

    const more = await identity.refresh(tokens.refresh_token, {
      ...mapViewCredentials,
      scope: 'surveillance_api admin',
    })
    const less = await identity.refresh(tokens.refresh_token, { ...mapViewCredentials, scope: 'profile' })
    const all = await identity.refresh(less.body.refresh_token)

    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(less).toMatchObject({ status: 200, body: { scope: 'profile' } })
    expect(all).toMatchObject({ status: 200, body: { scope: 'surveillance_api profile' } })
  })

  test('a refresh loses the scopes that the client has lost, and is refused when none is left', async () => {
    const { identity, tokens } = await signedIn({ open })
    const register = (...scopes: string[]) =>
      identity.directory.update('client', 'map-view', (client) => ({ ...client, scopes }))

    await register('profile')
    const less = await identity.refresh(tokens.refresh_token)
    const asked = await identity.refresh(less.body.refresh_token, { ...mapViewCredentials, scope: 'surveillance_api' })
    await register('other')
    const none = await identity.refresh(less.body.refresh_token)

    expect(less).toMatchObject({ status: 200, body: { scope: 'profile' } })
    expect(await identity.verifyAccessToken(less.body.access_token ?? '', 'user')).toMatchObject({
      scopes: ['profile'],
    })
    expect(asked).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(none).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  test('a user who was removed, disabled or moved to another account cannot refresh, even if no revocation was announced', async () => {
    const { identity, tokens } = await signedIn({ open })
    const moved = await signedIn({ open })
    const disabled = await signedIn({ open })
    await disabled.identity.directory.update('user', pilot.id, (user) => ({ ...user, disabled: true }))
    await identity.directory.remove('user', pilot.id)
    await moved.identity.directory.update('user', pilot.id, (user) => ({ ...user, accountId: 'rival' }))

    expect(await identity.refresh(tokens.refresh_token)).toMatchObject(dead)
    expect(await moved.identity.refresh(moved.tokens.refresh_token)).toMatchObject(dead)
    expect(await disabled.identity.refresh(disabled.tokens.refresh_token)).toMatchObject(dead)
  })

  test('a client without its secret can refresh only tokens from pairing', async () => {
    const { identity, tokens } = await signedIn({ open })

    const answer = await identity.refresh(tokens.refresh_token, { client_id: 'map-view' })

    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await identity.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('a store that does not answer causes 503, and the token stays valid', async () => {
    let isDown = false
    const { identity, tokens } = await signedIn({
      open,
      wrapStore: (store) => ({
        ...store,
        async replace(key, expected, next, ttlMs) {
          if (isDown) throw new ApiError('unavailable', 'The store at redis://secret does not answer')
          return store.replace(key, expected, next, ttlMs)
        },
      }),
    })

    isDown = true
    const answer = await identity.refresh(tokens.refresh_token)
    isDown = false

    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
    expect(JSON.stringify(answer.body)).not.toContain('redis')
    expect((await identity.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('an acknowledged rotation that is lost ends the family at the next use of either token', async () => {
    let isLosing = false
    const { identity, tokens } = await signedIn({
      open,
      // Like a primary that dies before it has replicated the write.
      wrapStore: (store) => ({
        ...store,
        replace: async (...change) => (isLosing ? true : store.replace(...change)),
      }),
    })

    isLosing = true
    const lost = await identity.refresh(tokens.refresh_token)
    isLosing = false

    expect(lost.status).toBe(200)
    expect(await identity.refresh(lost.body.refresh_token)).toMatchObject(dead)
    expect(await identity.refresh(tokens.refresh_token)).toMatchObject(dead)
  })

  test('the store contains neither refresh tokens nor codes', async () => {
    const written: string[] = []
    const { identity, tokens } = await signedIn({
      open,
      wrapStore: (store) => ({
        ...store,
        async put(key, value, ttlMs) {
          written.push(key, JSON.stringify(value))
          return store.put(key, value, ttlMs)
        },
        async replace(key, expected, next, ttlMs) {
          written.push(key, JSON.stringify(next))
          return store.replace(key, expected, next, ttlMs)
        },
      }),
    })
    const { body } = await identity.refresh(tokens.refresh_token)

    for (const token of [tokens, body].flatMap((pair) => [pair.refresh_token ?? '', pair.access_token ?? ''])) {
      expect(written.join('\n')).not.toContain(token)
      expect(written.join('\n')).not.toContain(token.split('.').at(-1))
    }
  })
})
