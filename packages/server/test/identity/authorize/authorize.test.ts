import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import { hashSecret } from '../../../src/secrets.ts'
import { aBrowser, authorizationRequest, authorizePath, serve } from '../a-browser.ts'
import { aClient, anIdentity, type IdentityTestOptions, origins, pilot } from '../an-identity.ts'

async function aVisit(options: IdentityTestOptions = {}) {
  const identity = await anIdentity(options)
  return { identity, browser: aBrowser(await serve(identity)) }
}

const registered = authorizationRequest.redirect_uri

test.each([
  ['unknown client', { client_id: 'nobody<script>' }],
  ['client named like an object member', { client_id: '__proto__' }],
  ['missing client', { client_id: undefined }],
  ['empty client', { client_id: '' }],
  ['missing redirect URI', { redirect_uri: undefined }],
  ['empty redirect URI', { redirect_uri: '' }],
  ...[
    'https://app.example/callback/',
    'https://app.example/callbac',
    'https://app.example/callback2',
    'https://app.example/callback/more',
    'https://app.example/callback?x=1',
    'https://app.example/callback#x',
    'https://app.example/Callback',
    'https://APP.example/callback',
    'HTTPS://app.example/callback',
    'https://app.example:443/callback',
    'https://app.example:8443/callback',
    'https://app.example./callback',
    'https://app.example.evil.example/callback',
    'https://evil.example/https://app.example/callback',
    'https://user@app.example/callback',
    'https://app.example@evil.example/callback',
    'https://app.example\\@evil.example/callback',
    'https://app.example//callback',
    'https://app.example/x/../callback',
    'https://app.example/%63allback',
    'https://app.example/x/%2e%2e/callback',
    'https://аpp.example/callback',
    ' https://app.example/callback',
    'https://app.example/callback ',
    'https://app.example/callback\0',
    'http://app.example/callback',
    '//app.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
  ].map((redirect_uri): [string, { redirect_uri: string }] => [
    `redirect URI ${JSON.stringify(redirect_uri)}`,
    { redirect_uri },
  ]),
])('%s gets an error page without text from the request, never a redirect', async (_name, parameters) => {
  const { browser } = await aVisit()

  const page = await browser.authorize(parameters)

  expect(page.status).toBe(400)
  expect(page.location).toBeUndefined()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const value of Object.values(parameters)) if (value) expect(page.html).not.toContain(value)
  expect(page.html).not.toContain('nobody')
})

test.each(['client_id=map-view', `redirect_uri=${encodeURIComponent(registered)}`, `redirect_uri=${registered}`])(
  'a repeated %s gets an error page',
  async (repetition) => {
    const { browser } = await aVisit()

    const page = await browser.get(`${authorizePath()}&${repetition}`)

    expect(page.status).toBe(400)
    expect(page.location).toBeUndefined()
  },
)

const s256 = { code_challenge_method: 'S256' }

test.each([
  ['no response type', { response_type: undefined }, 'invalid_request'],
  ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
  ['an ID token', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['the hybrid flow', { response_type: 'code token' }, 'unsupported_response_type'],
  ['the response type in upper case', { response_type: 'CODE' }, 'unsupported_response_type'],
  ['no scope', { scope: undefined }, 'invalid_scope'],
  ['an empty scope', { scope: ' ' }, 'invalid_scope'],
  ['an unknown scope', { scope: 'surveillance_api admin' }, 'invalid_scope'],
  ['10 kB of scope', { scope: 'a'.repeat(10_000) }, 'invalid_scope'],
  ['a plain challenge', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge without a method', { code_challenge: 'a'.repeat(43) }, 'invalid_request'],
  ['a method without a challenge', s256, 'invalid_request'],
  ['a challenge of 42 characters', { ...s256, code_challenge: 'a'.repeat(42) }, 'invalid_request'],
  ['a challenge that is no base64url', { ...s256, code_challenge: '='.repeat(43) }, 'invalid_request'],
  ['a public client without PKCE', { client_id: 'browser-app' }, 'invalid_request'],
])('%s is redirected with an error, the state and the issuer', async (_name, parameters, error) => {
  const { browser } = await aVisit()

  const { status, location } = await browser.authorize(parameters)

  expect(status).toBe(302)
  expect(`${location?.origin}${location?.pathname}`).toBe(registered)
  expect(location?.hash).toBe('')
  expect([...(location?.searchParams.keys() ?? [])]).toEqual(['error', 'error_description', 'state', 'iss'])
  expect(location?.searchParams.get('error')).toBe(error)
  expect(location?.searchParams.get('state')).toBe('b7f3')
  expect(location?.searchParams.get('iss')).toBe(origins.auth)
})

test.each(['response_type=code', 'scope=profile', 'state=other', 'code_challenge=x&code_challenge=y'])(
  'a repeated %s is redirected as invalid_request',
  async (repetition) => {
    const { browser } = await aVisit()

    const { location } = await browser.get(`${authorizePath()}&${repetition}`)

    expect(location?.searchParams.get('error')).toBe('invalid_request')
    expect(location?.searchParams.get('state')).toBe(repetition.startsWith('state') ? null : 'b7f3')
  },
)

test('a client that is not registered for the code grant gets a redirect with unauthorized_client', async () => {
  const { identity, browser } = await aVisit()
  await identity.directory.insert('client', aClient({ id: 'refresher', grants: ['refresh_token'] }))

  const { location } = await browser.authorize({ client_id: 'refresher' })

  expect(location?.searchParams.get('error')).toBe('unauthorized_client')
})

test('unknown and empty parameters, such as an empty state, are ignored', async () => {
  const { browser } = await aVisit()

  const callback = await browser.approve({
    state: '',
    nonce: 'n',
    display: 'page',
    prompt: 'consent',
    response_mode: 'query',
    code_challenge: '',
    '': 'x',
  })

  expect(callback.searchParams.get('code')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(callback.searchParams.has('state')).toBe(false)
})

test.each(['a/b=', 'a b', 'ü&<>"\'#', 'x'.repeat(2_000), '%00', 'a=b&c=d'])(
  'the state %j comes back as it was sent',
  async (state) => {
    const { browser } = await aVisit()

    expect((await browser.approve({ state })).searchParams.get('state')).toBe(state)
  },
)

test.each([
  ['raw', `redirect_uri=${registered}`],
  ['percent-encoded', `redirect_uri=${encodeURIComponent(registered)}`],
])('the redirect URI works %s, at any position in the query', async (_name, redirect) => {
  const { browser } = await aVisit()
  const rest = 'client_id=map-view&response_type=code&scope=surveillance_api%20profile'

  for (const search of [`${redirect}&${rest}`, `${rest}&${redirect}`, `${rest}&${redirect}&state=a/b=`]) {
    expect((await browser.get(`/oauth/v2/authorize?${search}`)).html).toMatch(/>Sign in</)
  }
})

test('a raw redirect URI may have a query, which stays as it was registered', async () => {
  const { identity, browser } = await aVisit()
  const redirectUris = ['https://app.example/cb?a=1', 'https://app.example/cb?a=1&state=own+%2F']
  await identity.directory.update('client', 'map-view', (client) => ({ ...client, redirectUris }))
  const path = `/oauth/v2/authorize?client_id=map-view&redirect_uri=${redirectUris[1]}&response_type=code&scope=profile&state=sent`

  const page = await browser.signIn(await browser.get(path))
  const { headers } = await browser.press(page, 'Approve')

  expect(headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?a=1&state=own\+%2F&code=[^&]+&state=sent&iss=/)
})

test('a loopback redirect URI works only where loopback redirects are allowed; else the page and the log name the flag', async () => {
  const redirect_uri = 'http://127.0.0.1:3000/cb'
  const strict = await aVisit()
  const lenient = await aVisit({ allowLoopbackRedirects: true })
  for (const { identity } of [strict, lenient]) {
    await identity.directory.update('client', 'map-view', (client) => ({ ...client, redirectUris: [redirect_uri] }))
  }

  const refused = await strict.browser.authorize({ redirect_uri })
  expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('--allow-loopback-redirects')])
  expect(strict.identity.audited).toEqual([
    {
      event: 'redirect-refused',
      clientId: 'map-view',
      setting: '--allow-loopback-redirects',
      address: expect.any(String),
    },
  ])
  expect((await lenient.browser.approve({ redirect_uri })).origin).toBe('http://127.0.0.1:3000')
})

test('a public client with PKCE is asked to sign in', async () => {
  const { browser } = await aVisit()

  const page = await browser.authorize({
    client_id: 'browser-app',
    ...s256,
    code_challenge: hashSecret('a'.repeat(43)),
  })

  expect(page.status).toBe(200)
})

test('the issuer does not follow the Host header', async () => {
  const { identity } = await aVisit()
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const search = new URL(authorizePath({ scope: 'none' }), 'https://x').search

  const answer = await identity.operations.authorize({ search, headers } as never)

  expect(new URL(answer.headers?.Location ?? '').searchParams.get('iss')).toBe(origins.auth)
  expect(JSON.stringify(answer)).not.toContain('evil')
})

test('a directory that does not answer causes an error page, not a redirect', async () => {
  const { identity, browser } = await aVisit()
  identity.directory.find = async () => {
    throw new ApiError('unavailable', 'The directory does not answer')
  }

  const page = await browser.authorize()

  expect(page.status).toBe(503)
  expect(page.html).toContain('Try again')
  expect(page.location).toBeUndefined()
})

test('a disabled client is treated as unknown, also while its user is asked for approval', async () => {
  const { identity, browser } = await aVisit()
  const approval = await browser.signIn(await browser.authorize())
  await identity.directory.update('client', 'map-view', (client) => ({ ...client, disabled: true }))

  const answer = await browser.press(approval, 'Approve')
  const again = await browser.authorize()

  expect([answer.status, answer.location, again.status, again.location]).toEqual([400, undefined, 400, undefined])
  expect(again.html).toContain('Unknown application')
})

test('redirects send no referrer, are not cached and cannot be read by other origins', async () => {
  const { browser } = await aVisit()
  const refusal = await browser.authorize({ scope: 'none' })
  const signedIn = await browser.press(await browser.authorize(), 'Sign in', pilot)
  const approved = await browser.press(await browser.follow(signedIn), 'Approve')

  expect([refusal.status, signedIn.status, approved.status]).toEqual([302, 303, 303])
  for (const { headers } of [refusal, signedIn, approved]) {
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

describe('a native client with an open loopback port', () => {
  test.each(['http://127.0.0.1', 'http://127.0.0.1/cb?a=1&b=2', 'http://[::1]/cb'])(
    'that is registered with %s returns to the port of the moment',
    async (registered) => {
      const { identity, browser } = await aVisit({ allowLoopbackRedirects: true })
      await identity.directory.insert('client', aClient({ id: 'native', redirectUris: [registered] }))
      const sent = registered.replace(/^(http:..[^/]+)/, '$1:36529')

      const callback = await browser.approve({ client_id: 'native', redirect_uri: sent })

      expect(callback.href.startsWith(URL.parse(sent)?.href ?? '?')).toBe(true)
      const fields = { grant_type: 'authorization_code', client_id: 'native', client_secret: 's3cret-map-view' }
      const code = callback.searchParams.get('code') ?? ''
      expect((await identity.token({ ...fields, code, redirect_uri: registered })).body.error).toBe('invalid_grant')
      expect((await identity.token({ ...fields, code, redirect_uri: sent })).status).toBe(200)
    },
  )

  test('may send the address without encoding, with a query of its own', async () => {
    const { identity, browser } = await aVisit({ allowLoopbackRedirects: true })
    const redirectUris = ['http://127.0.0.1/cb?a=1&b=2']
    await identity.directory.insert('client', aClient({ id: 'native', redirectUris }))
    const query = 'client_id=native&response_type=code&scope=surveillance_api&state=s'

    const page = await browser.get(`/oauth/v2/authorize?${query}&redirect_uri=http://127.0.0.1:36529/cb?a=1&b=2`)

    expect((await browser.press(await browser.signIn(page), 'Approve')).location?.host).toBe('127.0.0.1:36529')
  })

  test('is refused where loopback addresses are not allowed', async () => {
    const { identity, browser } = await aVisit()
    await identity.directory.insert('client', aClient({ id: 'native', redirectUris: ['http://127.0.0.1/cb'] }))

    const page = await browser.authorize({ client_id: 'native', redirect_uri: 'http://127.0.0.1:36529/cb' })

    expect([page.status, page.location]).toEqual([400, undefined])
  })
})

test('a scope that the client is not registered for is named', async () => {
  const { browser } = await aVisit()

  const { location } = await browser.authorize({ scope: 'surveillance_api drones"é' })

  expect(location?.searchParams.get('error')).toBe('invalid_scope')
  expect(location?.searchParams.get('error_description')).toContain("'drones??'")
})

test.each([
  [{ response_mode: 'form_post' }, 'invalid_request', 'response_mode must be query'],
  [{ response_mode: 'fragment' }, 'invalid_request', 'response_mode must be query'],
  [{ prompt: 'none' }, 'interaction_required', 'must always approve'],
])('a request with %j is redirected with %s', async (parameters, error, description) => {
  const { browser } = await aVisit()

  const { location } = await browser.authorize(parameters)

  expect(location?.searchParams.get('error')).toBe(error)
  expect(location?.searchParams.get('error_description')).toContain(description)
})

test.each(['login', 'select_account', 'login consent'])(
  'with the prompt "%s" a signed-in user signs in again, once',
  async (prompt) => {
    const { browser } = await aVisit()
    await browser.signIn(await browser.authorize())

    const page = await browser.authorize({ prompt })
    expect(page.html).toContain('Create account')
    const approval = await browser.signIn(page)

    expect(approval.html).toContain('Approve')
    expect((await browser.press(approval, 'Approve')).location?.searchParams.has('code')).toBe(true)
    expect((await browser.authorize({ prompt })).html).toContain('Create account')
  },
)

test('the sign-in page offers the address of login_hint', async () => {
  const { browser } = await aVisit()

  expect((await browser.authorize({ login_hint: 'a&b@example.com' })).html).toContain('value="a&amp;b@example.com"')
  expect((await browser.authorize({ login_hint: `${'x'.repeat(250)}@example.com` })).html).not.toContain('xxx')
})
