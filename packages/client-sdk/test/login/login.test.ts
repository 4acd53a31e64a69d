import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLogin, type LoginOptions } from '../../src/index.ts'
import { aFetch, aTokenResponse, aTokens, clock, nowMs } from '../builders.ts'

const authOrigin = 'https://auth.example.net'
const redirectUri = 'https://app.example.net/callback'

test('the URL of the login has every parameter of the document', async () => {
  const { url, pending } = await aLogin().start()
  const { origin, pathname, searchParams } = new URL(url)

  expect(`${origin}${pathname}`).toBe('https://auth.example.net/oauth/v2/authorize')
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'map-view',
    response_type: 'code',
    scope: 'surveillance_api',
    redirect_uri: redirectUri,
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
})

test('scopes are separated by %20, and the redirect URI is sent as registered', async () => {
  const login = aLogin({ scope: 'surveillance_api profile', redirectUri: 'https://app.example.net/cb?tab=map/2' })

  const { url } = await login.start()

  expect(url).toContain('scope=surveillance_api%20profile&')
  expect(url).toContain('redirect_uri=https://app.example.net/cb?tab=map/2&')
})

test('characters that would end the redirect URI are encoded', async () => {
  const registered = 'https://app.example.net/cb?a=1&b=50%25+c'

  const { url } = await aLogin({ redirectUri: registered }).start()

  expect(new URL(url).searchParams.get('redirect_uri')).toBe(registered)
})

test('each login has a unique state and verifier, long enough for RFC 7636', async () => {
  const login = aLogin()
  const [a, b] = await Promise.all([login.start(), login.start()])

  expect(a.pending.state).not.toBe(b.pending.state)
  expect(a.pending.codeVerifier).not.toBe(b.pending.codeVerifier)
  expect(a.pending.codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/)
})

test('options that cannot work are refused when the login is created', () => {
  const refusals: [Partial<LoginOptions>, string][] = [
    [{ clientId: '' }, `"clientId" must be a client's ID, got ""`],
    [{ clientId: undefined as never }, `"clientId" must be a client's ID, got undefined`],
    [{ redirectUri: '/callback' }, '"redirectUri" must be a whole address, got "/callback"'],
  ]
  for (const [options, message] of refusals) expect(() => aLogin(options)).toThrow(message)
})

test('a callback without its pending sign-in belongs to no login', async () => {
  const { complete } = aLogin()
  await expect(complete(undefined as never, aCallback({ code: 'c0de' }))).rejects.toMatchObject({
    code: 'state_mismatch',
    message: expect.stringContaining('no pending sign-in'),
  })
})

test('the callback is exchanged for tokens, also after the pending login was stored as JSON', async () => {
  const { fetch, requests, forms } = aFetch(aTokenResponse)
  const login = aLogin({ fetch, clientSecret: 's3cret' })
  const { pending } = await login.start()

  const tokens = await login.complete(
    JSON.parse(JSON.stringify(pending)),
    aCallback({ code: 'c0de', state: pending.state, iss: authOrigin }),
  )

  expect(tokens).toEqual(
    aTokens(1, { scope: 'surveillance_api', expiresAtMs: nowMs + 900_000, refreshAtMs: nowMs + 870_000 }),
  )
  expect(requests[0]).toMatchObject({
    url: `${authOrigin}/oauth/v2/token`,
    method: 'POST',
    redirect: 'manual',
    credentials: 'omit',
  })
  expect(requests[0]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
  expect(forms[0]).toEqual({
    grant_type: 'authorization_code',
    code: 'c0de',
    redirect_uri: redirectUri,
    code_verifier: pending.codeVerifier,
    client_id: 'map-view',
    client_secret: 's3cret',
  })
})

test('a public client sends no secret', async () => {
  const { fetch, forms } = aFetch(aTokenResponse)
  const login = aLogin({ fetch })
  const { pending } = await login.start()

  await login.complete(pending, aCallback({ code: 'c0de', state: pending.state, iss: authOrigin }))

  expect(forms[0]).not.toHaveProperty('client_secret')
})

const wrongCallbacks: Record<string, { callback: (state: string) => string; code: string; message?: string }> = {
  'without a state': { callback: () => aCallback({ code: 'c' }), code: 'state_mismatch' },
  "with another login's state": { callback: () => aCallback({ code: 'c', state: 'x' }), code: 'state_mismatch' },
  'with two states': { callback: (state) => `${aCallback({ code: 'c', state })}&state=x`, code: 'state_mismatch' },
  "with another login's error": {
    callback: () => aCallback({ error: 'access_denied', state: 'x' }),
    code: 'state_mismatch',
  },
  'from another issuer': {
    callback: (state) => aCallback({ code: 'c', state, iss: 'https://evil.example' }),
    code: 'issuer_mismatch',
    message: 'must come from "https://auth.example.net", got "https://evil.example"',
  },
  'from an issuer with the same beginning': {
    callback: (state) => aCallback({ code: 'c', state, iss: `${authOrigin}/` }),
    code: 'issuer_mismatch',
  },
  'from two issuers': {
    callback: (state) => `${aCallback({ code: 'c', state, iss: authOrigin })}&iss=https://evil.example`,
    code: 'issuer_mismatch',
  },
  'with an error from another issuer': {
    callback: (state) => aCallback({ error: 'access_denied', state, iss: 'https://evil.example' }),
    code: 'issuer_mismatch',
  },
  'of a user who declined': {
    callback: (state) => aCallback({ error: 'access_denied', error_description: 'No, thanks', state, iss: authOrigin }),
    code: 'access_denied',
    message: 'The user declined: No, thanks',
  },
  'with another error': {
    callback: (state) => aCallback({ error: 'invalid_scope', state, iss: authOrigin }),
    code: 'authorization_refused',
    message: 'refused the login with "invalid_scope"',
  },
  'that is not an address': {
    callback: () => 'localhost/callback',
    code: 'code_missing',
    message: 'a whole address, got "localhost/callback"',
  },
  'with neither code nor error': { callback: (state) => aCallback({ state, iss: authOrigin }), code: 'code_missing' },
  'with two codes': {
    callback: (state) => `${aCallback({ code: 'c', state, iss: authOrigin })}&code=other`,
    code: 'code_repeated',
  },
}

for (const [what, { callback, code, message = '' }] of Object.entries(wrongCallbacks)) {
  test(`a callback ${what} is refused as ${code}, and the code is not sent`, async () => {
    const { fetch, requests } = aFetch(aTokenResponse)
    const login = aLogin({ fetch })
    const { pending } = await login.start()

    const error = await login.complete(pending, callback(pending.state)).catch((error: unknown) => error)

    expect(error).toMatchObject({ name: 'LoginError', code, message: expect.stringContaining(message) })
    expect(requests).toHaveLength(0)
  })
}

test('a callback without an issuer is refused when the metadata promises one, and the code is not sent', async () => {
  const { fetch, requests } = aFetch(() => Response.json({ authorization_response_iss_parameter_supported: true }))
  const login = aLogin({ fetch })
  const { pending } = await login.start()

  const completed = login.complete(pending, aCallback({ code: 'c', state: pending.state }))

  await expect(completed).rejects.toMatchObject({ name: 'LoginError', code: 'issuer_mismatch' })
  expect(requests.map(({ url }) => url)).toEqual([`${authOrigin}/.well-known/oauth-authorization-server`])
})

test.each([
  ['has no metadata', () => new Response(null, { status: 404 })],
  ['has metadata that promises no issuer', () => Response.json({ issuer: authOrigin })],
  ['answers with something else than metadata', () => new Response('hello')],
])('a callback without an issuer is accepted from a service that %s', async (_, metadata) => {
  const login = aLogin({ fetch: aFetch(metadata, aTokenResponse).fetch })
  const { pending } = await login.start()
  const tokens = await login.complete(pending, aCallback({ code: 'c', state: pending.state }))
  expect(tokens.accessToken).toBe('access-1')
})

test.each([
  ['does not answer', () => Promise.reject(new TypeError('fetch failed'))],
  ['answers with 503', async () => new Response(null, { status: 503 })],
])('a callback without an issuer is not exchanged while the service %s', async (_, fetch) => {
  const login = aLogin({ fetch })
  const { pending } = await login.start()
  const completed = login.complete(pending, aCallback({ code: 'c', state: pending.state }))
  await expect(completed).rejects.toMatchObject({ name: 'LoginError', code: 'temporarily_unavailable' })
})

const tokenAnswers: Record<string, { answer?: () => Response; code: string; sessionCode: string }> = {
  '400 invalid_grant': {
    answer: oauthError(400, 'invalid_grant'),
    code: 'code_rejected',
    sessionCode: 'login_required',
  },
  '401 invalid_grant': {
    answer: oauthError(401, 'invalid_grant'),
    code: 'code_rejected',
    sessionCode: 'login_required',
  },
  '401 without a reason': {
    answer: () => new Response('', { status: 401 }),
    code: 'unexpected_answer',
    sessionCode: 'login_required',
  },
  '401 invalid_client': {
    answer: oauthError(401, 'invalid_client'),
    code: 'client_rejected',
    sessionCode: 'client_rejected',
  },
  '400 unauthorized_client': {
    answer: oauthError(400, 'unauthorized_client'),
    code: 'client_rejected',
    sessionCode: 'client_rejected',
  },
  '400 invalid_request': {
    answer: oauthError(400, 'invalid_request'),
    code: 'unexpected_answer',
    sessionCode: 'unexpected_answer',
  },
  '400 null': {
    answer: () => Response.json(null, { status: 400 }),
    code: 'unexpected_answer',
    sessionCode: 'unexpected_answer',
  },
  '429': {
    answer: oauthError(429, 'temporarily_unavailable'),
    code: 'temporarily_unavailable',
    sessionCode: 'temporarily_unavailable',
  },
  '500': {
    answer: () => new Response('', { status: 500 }),
    code: 'temporarily_unavailable',
    sessionCode: 'temporarily_unavailable',
  },
  '503': {
    answer: () => new Response('', { status: 503 }),
    code: 'temporarily_unavailable',
    sessionCode: 'temporarily_unavailable',
  },
  'no answer': { code: 'temporarily_unavailable', sessionCode: 'temporarily_unavailable' },
  "200 with a proxy's page": {
    answer: () => new Response('<html>'),
    code: 'unexpected_answer',
    sessionCode: 'unexpected_answer',
  },
  '200 without a token': {
    answer: () => Response.json({}),
    code: 'unexpected_answer',
    sessionCode: 'unexpected_answer',
  },
  'a redirect': {
    answer: () => Response.redirect('https://evil.example/token', 307),
    code: 'unexpected_answer',
    sessionCode: 'unexpected_answer',
  },
}

for (const [what, { answer, code, sessionCode }] of Object.entries(tokenAnswers)) {
  test(`${what} at the token endpoint is ${code} for a login and ${sessionCode} for a session`, async () => {
    const { fetch, requests } = answer ? aFetch(answer) : aFetch()
    const login = aLogin({ fetch })
    const { pending } = await login.start()

    const complete = login.complete(pending, aCallback({ code: 'c0de', state: pending.state, iss: authOrigin }))

    await expect(complete).rejects.toMatchObject({ name: 'LoginError', code })
    await expect(login.refresh('refresh-1')).rejects.toMatchObject({ name: 'SessionError', code: sessionCode })
    expect(requests).toHaveLength(2)
  })
}

test('an error of the token endpoint contains its description and no secret', async () => {
  const { fetch } = aFetch(() =>
    Response.json({ error: 'invalid_grant', error_description: 'The authorization code was used' }, { status: 400 }),
  )
  const login = aLogin({ fetch, clientSecret: 's3cret' })
  const { pending } = await login.start()

  const error: unknown = await login
    .complete(pending, aCallback({ code: 'c0de', state: pending.state, iss: authOrigin }))
    .catch((error) => error)

  expect(error).toMatchObject({ oauthError: 'invalid_grant' })
  expect(String(error)).toContain('answered 400, invalid_grant, The authorization code was used')
  expect(String(error)).not.toMatch(/s3cret|c0de/)
})

test('a refresh sends the refresh grant and resolves with the new tokens', async () => {
  const { fetch, forms } = aFetch(() => aTokenResponse(2))

  expect(await aLogin({ fetch, clientSecret: 's3cret' }).refresh('refresh-1')).toMatchObject(aTokens(2))
  expect(forms[0]).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-1',
    client_id: 'map-view',
    client_secret: 's3cret',
  })
})

test('the refresh token is kept when the service does not rotate it', async () => {
  const { fetch } = aFetch(() => Response.json({ access_token: 'access-2', token_type: 'Bearer' }))

  expect(await aLogin({ fetch }).refresh('refresh-1')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-1' })
})

test('members of a token response that have another type are ignored', async () => {
  const answer = { access_token: 'access-2', refresh_token: null, scope: ['a'], expires_in: '900' }
  const { fetch } = aFetch(() => Response.json(answer))

  expect(await aLogin({ fetch }).refresh('refresh-1')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-1' })
})

test('a revocation is sent to its endpoint, and a failure rejects', async () => {
  const { fetch, requests, forms } = aFetch(
    () => Response.json({}),
    () => new Response('', { status: 503 }),
  )
  const login = aLogin({ fetch })

  await login.revoke('refresh-1')

  expect(requests[0]?.url).toBe(`${authOrigin}/oauth/v2/revoke`)
  expect(forms[0]).toEqual({ token: 'refresh-1', token_type_hint: 'refresh_token', client_id: 'map-view' })
  await expect(login.revoke('refresh-1')).rejects.toMatchObject({ code: 'temporarily_unavailable' })
})

test('an insecure or invalid origin throws at creation', () => {
  expect(() => aLogin({ authOrigin: 'http://auth.example.net' })).toThrow('"authOrigin" must be an https origin')
  expect(() => aLogin({ authOrigin: 'https://auth.example.net/login' })).toThrow('"authOrigin" must be an https origin')
  expect(() => aLogin({ authOrigin: 'https://user@auth.example.net' })).toThrow('"authOrigin" must be an https origin')
  expect(() => aLogin({ authOrigin: 'auth' })).toThrow('or http on this machine, got "auth"')
  expect(() => aLogin({ authOrigin: 'http://localhost:8443' })).not.toThrow()
})

function aLogin(options: Partial<LoginOptions> = {}) {
  return createLogin({
    authOrigin,
    clientId: 'map-view',
    redirectUri,
    clock,
    fetch: aFetch(aTokenResponse).fetch,
    ...options,
  })
}

function aCallback(parameters: Record<string, string>): string {
  return `${redirectUri}?${new URLSearchParams(parameters)}`
}

function oauthError(status: number, error: string): () => Response {
  return () => Response.json({ error }, { status })
}
