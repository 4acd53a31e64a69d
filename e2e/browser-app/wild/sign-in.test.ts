/** Sign-in by redirects as hosts and users bend it, in a real Chromium. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { chromiumOptions, testInChromium } from '../../pages/chromium.ts'
import { signInAndApprove } from '../sign-in.ts'
import { aWildApp, type WildApp } from './a-wild-app.ts'
import { aWildBrowser, type WildBrowser } from './a-wild-browser.ts'

/** The first example of the SDK's README, with the options of this app, which shows what the example would log. */
const example = readExample()

function readExample(): string {
  const readme = readFileSync(new URL('../../../packages/client-sdk/README.md', import.meta.url), 'utf8')
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const [, options = ''] = /createPosrep\(\{\n([\s\S]*?)\n\}\)/.exec(code) ?? []
  expect(options).toContain('tokenStore: webTokenStore()')
  return code
    .replace(/^import .*\n/, '')
    .replace(options, '...options, tokenStore: webTokenStore()')
    .replace('console.log', 'say')
}

let app: WildApp
let browser: WildBrowser

beforeAll(async () => {
  app = await aWildApp()
})
beforeEach(async () => {
  app.setHost(() => false)
  browser = await aWildBrowser(chromiumOptions())
})
afterEach(() => browser.close())
afterAll(() => app.stop())

const said = (page: Page, text: string) => page.locator('#said', { hasText: text }).waitFor()

testInChromium('a host that adds a slash to the callback does not make the user approve again', async () => {
  app.setHost(({ url = '' }, response) => {
    if (!url.startsWith('/callback?')) return false
    response.writeHead(301, { location: url.replace('/callback?', '/callback/?') }).end()
    return true
  })
  app.setScript(example.replace('{ returnTo: location.href }', ''))
  const { page, visits } = await browser.open(app.origin)
  await signInAndApprove(page)

  await said(page, 'roof1')
  expect(page.url()).toBe(`${app.origin}/callback/`)
  expect(visits('/oauth/v2/authorize')).toBe(1)
})

testInChromium('a user who presses Deny reads that, and is not asked again; a reload asks again', async () => {
  app.setScript(example)
  const { page, visits, errors } = await browser.open(app.origin)
  await signInAndApprove(page, 'Deny')

  await page.getByText('The user declined: The user denied the request').waitFor()
  expect(page.url()).toBe(`${app.origin}/`)
  expect(visits('/oauth/v2/authorize')).toBe(1)
  expect(errors).toEqual([])
  await page.reload()
  await signInAndApprove(page)
  await said(page, 'roof1')
})

testInChromium('a deep link is in the address bar after the sign-in, and after a refusal', async () => {
  app.setScript(example)
  const { page } = await browser.open(`${app.origin}/devices/roof1?tab=2#map`)
  await signInAndApprove(page, 'Deny')
  await page.getByText('declined').waitFor()
  expect(page.url()).toBe(`${app.origin}/devices/roof1?tab=2#map`)

  await page.reload()
  await signInAndApprove(page)
  await said(page, 'roof1')
  expect(page.url()).toBe(`${app.origin}/devices/roof1?tab=2#map`)
})

testInChromium('Back from the sign-in page ends signIn() on the page that the browser has kept', async () => {
  app.setScript(`
const posrep = createPosrep(options)
addEventListener('pageshow', ({ persisted }) => persisted && (document.title = 'kept'))
document.querySelector('#go').onclick = async () => {
  say('busy')
  try { await posrep.signIn() } catch (error) { say(error.code) }
}`)
  const { page } = await browser.open(app.origin)
  await page.getByRole('button', { name: 'Go' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  await page.goBack({ waitUntil: 'commit' })

  await said(page, 'sign_in_left')
  expect(await page.title()).toBe('kept')
  await page.getByRole('button', { name: 'Go' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
})

testInChromium.for([
  [
    'http://127.0.0.1',
    'wrong_origin: The page is at "http://127.0.0.1:PORT", "redirectUri" at "http://localhost:PORT"',
  ],
  ['http://app.test', 'wrong_origin: The page is at "http://app.test:PORT"'],
])('an app that is opened at %s is refused at once, in words', async ([address, words]) => {
  const script = `
const posrep = createPosrep(options)
await posrep.signIn().catch((error) => say(error.code + ': ' + error.message))`
  app.setScript(script)
  const { page, visits } = await browser.open(`${address}:${app.port}`)

  await said(page, words?.replaceAll('PORT', String(app.port)) ?? '')
  expect(visits('/oauth/v2/authorize')).toBe(0)
})

testInChromium('an app on http and another name than localhost is told that it needs https', async () => {
  app.setScript(`
const posrep = createPosrep({ ...options, redirectUri: location.origin + '/callback' })
await posrep.signIn().catch((error) => say(error.code + ': ' + error.message))
await signInWithPopup(posrep).catch((error) => say(document.querySelector('#said').textContent + ' ' + error.code))`)
  const { page } = await browser.open(`http://app.test:${app.port}`)

  await said(page, 'insecure_origin: Sign-in needs https or localhost insecure_origin')
})

testInChromium(
  'calls carry what a tracing library adds, and what interceptors add to the token endpoint is ignored',
  async () => {
    app.setScript(`
const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'a=1', 'sentry-trace': '1', 'x-requested-with': 'x' }
const { fetch } = window
window.fetch = (input, init) => {
  const request = new Request(input, init)
  for (const [name, value] of Object.entries(trace)) request.headers.set(name, value)
  if (!request.headers.has('authorization')) request.headers.set('authorization', 'Bearer of.an.interceptor')
  return fetch(request)
}
${example}`)
    const { page } = await browser.open(app.origin)
    await signInAndApprove(page)

    await said(page, 'roof1')
  },
)

testInChromium('a sign-out at the service returns to the app, and the next sign-in asks for the password', async () => {
  app.setScript(`
const posrep = createPosrep({ ...options, tokenStore: webTokenStore() })
await posrep.handleCallback()
say(await posrep.isSignedIn() ? (await posrep.getMe()).userName : 'signed out')
document.querySelector('#go').onclick = async () => (await posrep.isSignedIn()) ? signOutAtService(posrep) : posrep.signIn()`)
  const { page } = await browser.open(app.origin)
  await page.getByRole('button', { name: 'Go' }).click()
  await signInAndApprove(page)
  await said(page, app.server.user.email)
  await page.getByRole('button', { name: 'Go' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()

  await said(page, 'signed out')
  expect(page.url()).toBe(app.redirectUri)
  await page.getByRole('button', { name: 'Go' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
})
