/** Sign-out at the service for an application, through the whole server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, type ServerUnderTest } from '../a-server.ts'
import { aBrowser } from './a-browser.ts'
import { pilot } from './an-identity.ts'

const callback = 'https://localhost:9443/callback'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

function aVisitor() {
  return aBrowser(server.origin, {}, server.fetch as unknown as typeof fetch)
}

function path(parameters: Record<string, string> = {}): string {
  const query = { client_id: 'app', post_logout_redirect_uri: callback, state: 'b7f3', ...parameters }
  return `/oauth/v2/sign-out?${new URLSearchParams(query)}`
}

async function signIn(browser: ReturnType<typeof aVisitor>) {
  const start = await browser.follow(await browser.get('/devices'))
  await browser.follow(await browser.press(await browser.signIn(start, pilot), 'Approve'))
}

test('a user who agrees is signed out here and at the portal, and returns with the state', async () => {
  const browser = aVisitor()
  await signIn(browser)
  expect((await browser.get('/devices')).status).toBe(200)

  const page = await browser.get(path())
  expect(page.html).toContain('asks to sign you out')
  const first = await browser.press(page, 'Sign out')
  const last = await browser.follow(first)

  expect(last.location?.href).toBe(`${callback}?state=b7f3`)
  expect((await browser.get('/devices')).status).toBe(303)
  expect((await browser.follow(await browser.get('/account'))).html).toContain('Create account')
})

test('a second click, and a click after a sign-out in another tab, return to the application', async () => {
  const browser = aVisitor()
  await signIn(browser)
  const page = await browser.get(path())
  await browser.press(page, 'Sign out')

  expect((await browser.press(page, 'Sign out')).location?.href).toBe(`${callback}?state=b7f3`)
})

test('a user who stays signed in returns to the application', async () => {
  const browser = aVisitor()
  await signIn(browser)

  const answer = await browser.press(await browser.get(path()), 'Stay signed in')

  expect(answer.location?.href).toBe(`${callback}?state=b7f3`)
  expect((await browser.get('/account')).html).toContain('Sign out')
})

test('a user who is not signed in returns at once', async () => {
  const { status, location } = await aVisitor().get(path())

  expect([status, location?.href]).toEqual([302, `${callback}?state=b7f3`])
})

test.each<Record<string, string>>([
  { client_id: 'nobody' },
  { post_logout_redirect_uri: `${callback}/` },
  { post_logout_redirect_uri: 'https://evil.example/' },
  { post_logout_redirect_uri: '' },
])('a request with %j gets an error page, and signs nobody out', async (parameters) => {
  const browser = aVisitor()
  await signIn(browser)

  const page = await browser.get(path(parameters))

  expect([page.status, page.location]).toEqual([400, undefined])
  expect((await browser.get('/account')).html).toContain('Sign out')
})

test('a form of another user, or of another browser, signs nobody out', async () => {
  const [browser, attacker] = [aVisitor(), aVisitor()]
  await signIn(browser)
  await signIn(attacker)
  const theirs = await attacker.get(path())

  expect((await browser.press(theirs, 'Sign out')).status).toBe(403)
  expect((await browser.get('/account')).html).toContain('Sign out')
})
