import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, roof1, type ServerUnderTest } from '../../a-server.ts'
import { aPortalVisitor } from '../a-portal-visitor.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

test('a visitor is redirected to the authorization endpoint with PKCE and state', async () => {
  const { location } = await aPortalVisitor(server).get('/devices')

  expect(location?.pathname).toBe('/oauth/v2/authorize')
  expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
    client_id: 'posrep-portal',
    response_type: 'code',
    redirect_uri: `${server.origin}/portal/callback`,
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43,2048}$/),
  })
})

test('the approval page names the portal, and after approval the visitor is on the requested page', async () => {
  const visitor = aPortalVisitor(server)
  const signIn = await visitor.open(`/devices/${encodeURIComponent(roof1)}/revoke`)
  const approval = await visitor.press(signIn, 'Sign in', { email: 'pilot@example.com', password: 'correct horse 42' })
  expect(approval.html).toContain('Posrep portal')

  const page = await visitor.press(approval, 'Approve')

  expect(new URL(page.url).pathname).toBe(`/devices/${encodeURIComponent(roof1)}/revoke`)
})

test('a callback in a browser that did not start the sign-in creates no session, and says so', async () => {
  const { location } = await aPortalVisitor(server).get('/devices')
  const state = location?.searchParams.get('state') ?? ''
  const victim = aPortalVisitor(server)
  await victim.get('/devices')

  const answer = await victim.open(`/portal/callback?code=x&state=${state}&iss=${encodeURIComponent(server.origin)}`)

  expect([answer.status, victim.cookies.has('__Host-posrep-portal')]).toEqual([400, false])
  expect(answer.html).toContain('This request belongs to another browser')
})

test('a callback without cookies, or half an hour late, says so', async () => {
  const visitor = aPortalVisitor(server)
  const { location } = await visitor.get('/devices')
  const state = location?.searchParams.get('state') ?? ''
  const callback = `/portal/callback?code=x&state=${state}&iss=${encodeURIComponent(server.origin)}`

  expect((await aPortalVisitor(server).open(callback)).html).toContain('The cookie of this page is missing')
  server.clock.leap(30 * 60_000)
  const late = await visitor.open(callback)
  expect([late.status, late.html.includes('This request has expired')]).toEqual([400, true])
})

test('a callback that arrives twice, as after a double click, leads to the same session', async () => {
  const visitor = aPortalVisitor(server)
  const signIn = await visitor.open('/devices')
  const approval = await visitor.press(signIn, 'Sign in', { email: 'pilot@example.com', password: 'correct horse 42' })
  const { location } = await visitor.submit(approval, 'Approve')
  const callback = location?.href ?? ''

  const answers = await Promise.all([visitor.get(callback), visitor.get(callback)])
  answers.push(await visitor.get(callback))

  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(new Set(answers.map(({ headers }) => headers.getSetCookie().join())).size).toBe(1)
  expect((await visitor.get('/devices')).status).toBe(200)
})

test('a path that is too long for the state leads to the first page after sign-in', async () => {
  const visitor = aPortalVisitor(server)

  const { location } = await visitor.get(`/devices/${'x'.repeat(6_000)}`)

  expect(location?.searchParams.get('state')?.length).toBeLessThan(2_048)
  expect((await visitor.get(location?.href ?? '')).status).toBe(200)
})

test('a callback of another issuer is refused (RFC 9207)', async () => {
  const visitor = aPortalVisitor(server)
  const { location } = await visitor.get('/devices')
  const state = location?.searchParams.get('state') ?? ''

  const answer = await visitor.open(`/portal/callback?code=x&state=${state}&iss=https%3A%2F%2Fother.example`)

  expect([answer.status, answer.html.includes('The sign-in failed')]).toEqual([400, true])
})

test('a user who denies access sees what that means, and has no session', async () => {
  const visitor = aPortalVisitor(server)
  const signIn = await visitor.open('/devices')
  const approval = await visitor.press(signIn, 'Sign in', { email: 'pilot@example.com', password: 'correct horse 42' })

  const page = await visitor.press(approval, 'Deny')

  expect([page.status, page.html.includes('You did not approve')]).toEqual([400, true])
  expect(page.url).toBe(`${server.origin}/portal/sign-in-failed?reason=denied`)
  expect(visitor.cookies.has('__Host-posrep-portal')).toBe(false)
})

test('a session outlives its access token, and ends after 12 hours', async () => {
  const visitor = aPortalVisitor(server)
  await visitor.enter()

  server.clock.leap(16 * 60_000)
  expect((await visitor.get('/devices')).status).toBe(200)
  server.clock.leap(12 * 60 * 60_000)
  expect((await visitor.get('/devices')).location?.pathname).toBe('/oauth/v2/authorize')
})

test('revoking the access of the portal on the account page ends the session', async () => {
  const visitor = aPortalVisitor(server)
  await visitor.enter()
  const account = await visitor.open('/account')
  const revoke = await visitor.click(account, 'Revoke Posrep portal')
  await visitor.press(revoke, 'Revoke access')

  expect((await visitor.get('/devices')).location?.pathname).toBe('/oauth/v2/authorize')
})

test('signing out ends the session and revokes its tokens', async () => {
  const visitor = aPortalVisitor(server)
  const page = await visitor.enter()
  const cookie = visitor.cookies.get('__Host-posrep-portal') ?? ''

  const signedOut = await visitor.press(page, 'Sign out')
  visitor.cookies.set('__Host-posrep-portal', cookie)

  expect(signedOut.html).toContain('Signed out')
  expect((await visitor.get('/devices')).location?.pathname).toBe('/oauth/v2/authorize')
})

test('a Pair form without a valid form token creates no pairing request', async () => {
  const visitor = aPortalVisitor(server)
  await visitor.enter()
  for (const form_token of ['', 'x'.repeat(43)])
    expect((await visitor.post('/pairing', { form_token, device_id: roof1 })).status).toBe(403)

  const consumed = await server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof1', { method: 'POST' })
  expect(consumed.status).toBe(404)
})

test('pages allow no foreign scripts, no framing and no caching', async () => {
  const { headers } = await aPortalVisitor(server).enter()

  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self' ${server.origin}; frame-ancestors 'none'; base-uri 'none'`,
  )
  expect([headers.get('x-frame-options'), headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
    'DENY',
    'no-referrer',
    'no-store',
  ])
})
