import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../../src/secrets.ts'
import { aBrowser, authorizationRequest, serve } from '../a-browser.ts'
import { anIdentity, mapViewCredentials, origins, pilot, type TestIdentity } from '../an-identity.ts'
import { storages } from '../stores.ts'

const redirectUri = authorizationRequest.redirect_uri
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = hashSecret(verifier)

async function aCode(identity: TestIdentity, parameters: Record<string, string | undefined> = {}): Promise<string> {
  const callback = await aBrowser(await serve(identity)).approve(parameters)
  return callback.searchParams.get('code') ?? ''
}

function codeRequest(code: string, fields: Record<string, unknown> = {}) {
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...mapViewCredentials, ...fields }
}

describe.each(storages)('on $name', ({ open }) => {
  test('a user signs in, approves, and the client exchanges the code for tokens', async () => {
    const identity = await anIdentity({ open })
    const callback = await aBrowser(await serve(identity)).approve()

    expect(callback.origin + callback.pathname).toBe(redirectUri)
    expect([...callback.searchParams.keys()]).toEqual(['code', 'state', 'iss'])
    expect(callback.searchParams.get('state')).toBe('b7f3')
    expect(callback.searchParams.get('iss')).toBe(origins.auth)

    const answer = await identity.token(codeRequest(callback.searchParams.get('code') ?? '', { state: 'x9' }))

    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 900, state: 'x9', scope: 'surveillance_api' })
    expect(await identity.verifyAccessToken(answer.body.access_token ?? '', 'user')).toMatchObject({
      kind: 'user',
      userId: pilot.id,
      accountId: 'acme',
      clientId: 'map-view',
      scopes: ['surveillance_api'],
    })
  })

  test('a code is exchanged once; its replay is refused and ends its tokens', async () => {
    const identity = await anIdentity({ open })
    const code = await aCode(identity)
    const first = await identity.token(codeRequest(code))
    const token = first.body.access_token ?? ''
    await identity.verifyAccessToken(token, 'user')

    const second = await identity.token(codeRequest(code))

    expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await expect(identity.verifyAccessToken(token, 'user')).rejects.toMatchObject({ code: 'invalid_token' })
    expect(await identity.refresh(first.body.refresh_token)).toMatchObject({
      status: 401,
      body: { error: 'invalid_grant' },
    })
    expect(identity.audited.at(-1)?.event).toBe('code-replayed')
  })

  test('exactly one of 100 parallel redemptions of a code gets tokens, and the replays end them', async () => {
    const identity = await anIdentity({ open })
    const code = await aCode(identity)

    const answers = await Promise.all(Array.from({ length: 100 }, () => identity.token(codeRequest(code))))

    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(99)
    expect((await identity.refresh(winners[0]?.body.refresh_token)).status).toBe(401)
  })

  test('a code is valid for 60 seconds', async () => {
    const identity = await anIdentity({ open })
    const [early, late] = [await aCode(identity), await aCode(identity)]

    await identity.clock.advance(59_999)
    expect((await identity.token(codeRequest(early))).status).toBe(200)
    await identity.clock.advance(1)
    expect(await identity.token(codeRequest(late))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test.each([
    ['another redirect URI', { redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
    ['an encoded redirect URI', { redirect_uri: encodeURIComponent(redirectUri) }, 'invalid_grant'],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_request'],
    ['an empty redirect URI', { redirect_uri: '' }, 'invalid_request'],
    ['another client', { client_id: 'rival', client_secret: 's3cret-rival' }, 'invalid_grant'],
    ['a verifier that nobody asked for', { code_verifier: verifier }, 'invalid_grant'],
    ['a repeated code', { code: ['a', 'b'] }, 'invalid_request'],
  ])('a code with %s is refused and stays valid for its client', async (_name, fields, error) => {
    const identity = await anIdentity({ open })
    const code = await aCode(identity)

    expect(await identity.token(codeRequest(code, fields))).toMatchObject({ status: 400, body: { error } })
    expect((await identity.token(codeRequest(code))).status).toBe(200)
  })

  test.each([
    ['without the verifier', {}, 'invalid_grant'],
    ['with another verifier', { code_verifier: verifier.replace('d', 'e') }, 'invalid_grant'],
    ['with the challenge as verifier', { code_verifier: challenge }, 'invalid_grant'],
    ['with 42 characters', { code_verifier: verifier.slice(1) }, 'invalid_request'],
    ['with 129 characters', { code_verifier: 'a'.repeat(129) }, 'invalid_request'],
    ['with characters that are not allowed', { code_verifier: `${verifier}!` }, 'invalid_request'],
  ])('a code requested with PKCE is refused %s', async (_name, fields, error) => {
    const identity = await anIdentity({ open })
    const code = await aCode(identity, { code_challenge: challenge, code_challenge_method: 'S256' })

    expect(await identity.token(codeRequest(code, fields))).toMatchObject({ status: 400, body: { error } })
    expect((await identity.token(codeRequest(code, { code_verifier: verifier }))).status).toBe(200)
  })

  test('a public client authenticates with PKCE alone', async () => {
    const identity = await anIdentity({ open })
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await aCode(identity, { client_id: 'browser-app', ...pkce })
    const client = { client_id: 'browser-app', client_secret: undefined }

    const answer = await identity.token(codeRequest(code, { ...client, code_verifier: verifier }))

    expect(answer.status).toBe(200)
    expect((await identity.refresh(answer.body.refresh_token, client)).status).toBe(200)
  })

  test('a client that is not registered for the refresh grant gets no refresh token', async () => {
    const identity = await anIdentity({ open })
    await identity.directory.update('client', 'map-view', (client) => ({ ...client, grants: ['authorization_code'] }))
    const code = await aCode(identity)

    const { body } = await identity.token(codeRequest(code))

    expect(body.access_token).toBeDefined()
    expect(body.refresh_token).toBeUndefined()
    await identity.token(codeRequest(code))
    await expect(identity.verifyAccessToken(body.access_token ?? '', 'user')).rejects.toMatchObject({
      code: 'invalid_token',
    })
  })
})
