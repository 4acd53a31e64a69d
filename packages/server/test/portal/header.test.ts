/** The header of every page: a link to the content, the navigation, the signed-in user, Sign out. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, roof1, type ServerUnderTest } from '../a-server.ts'
import { aPortalVisitor, type PortalVisitor } from './a-portal-visitor.ts'

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer()
  visitor = aPortalVisitor(server)
  await visitor.enter()
  // Signs in at the account page, too.
  await visitor.open('/account')
})
afterAll(() => server.stop())

const toHeader = (html: string) => /<header.*?<\/header>/s.exec(html)?.[0] ?? ''

test.each([
  ['/', 200],
  ['/air', 200],
  ['/devices', 200],
  [`/devices/${roof1}`, 200],
  [`/devices/${roof1}/deliveries`, 200],
  ['/pairing/start', 200],
  ['/sensors', 200],
  ['/docs', 200],
  ['/docs/operations/listDevices', 200],
  ['/docs/schemas/Device', 200],
  ['/docs/specification', 200],
  ['/docs/operations/none', 404],
  ['/devices/none', 404],
  ['/devices/none/none', 404],
  ['/account', 200],
])('the header of %s has the user, and Sign out, and is not cached', async (path, status) => {
  const page = await visitor.get(path)
  expect([page.status, page.headers.get('cache-control')]).toEqual([status, 'no-store'])
  const header = toHeader(page.html)
  expect(header).toContain('<nav aria-label="Site">')
  expect(header).toContain('pilot@example.com')
  expect(header).toMatch(/<form method="post".*name="form_token".*Sign out/s)
})

test('the header of a question of the account has them, too', async () => {
  const account = await visitor.get('/account')
  const question = await visitor.get(/href="(\/account\/sessions\/[^"]*)"/.exec(account.html)?.[1] ?? '')
  expect(question.html).toContain('End the session of this browser?')
  expect(toHeader(question.html)).toMatch(/pilot@example.com.*name="form_token".*Sign out/s)
})

test('Sign out on a page of the API reference signs out', async () => {
  const other = aPortalVisitor(server)
  await other.enter()
  const page = await other.press(await other.get('/docs/specification'), 'Sign out')
  expect(page.html).toContain('You are signed out of the portal')
  expect(toHeader((await other.get('/docs')).html)).not.toContain('Sign out')
})

test('without a session the API reference has the navigation only', async () => {
  const { html, headers } = await aPortalVisitor(server).get('/docs')
  expect(toHeader(html)).toMatch(/^<header class="bar">((?!<form).)*<nav aria-label="Site">((?!<form).)*$/s)
  expect(headers.get('content-security-policy')).toMatch(/form-action 'self';/)
})

test.each([
  '/',
  '/air',
  '/devices',
  '/docs',
  '/docs/specification',
  '/account',
  '/portal/signed-out',
  '/devices/none/none',
])('the first link of %s leads to the content', async (path) => {
  const response = await visitor.get(path)
  const { html } = response
  expect(/<a [^>]*>[^<]*<\/a>/.exec(html)?.[0]).toBe('<a class="skip" href="#content">Skip to content</a>')
  expect(html.indexOf('id="content"')).toBeGreaterThan(html.indexOf('</header>'))
  expect(html.match(/id="content"/g)).toHaveLength(1)
})
