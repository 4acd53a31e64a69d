/** The pages of the login in a real browser: they work without JavaScript, ask no other origin, and everyone can use them. */
import { AxeBuilder } from '@axe-core/playwright'
import { createLogin } from '@posrep/client-sdk'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchChromium, testInChromium } from './chromium.ts'
import { mapView, pilot, redirectUri, seed } from './seed.ts'
import { aPlace, type Place, type ServerProcess, startServer } from './server-process.ts'
import { trust } from './trust.ts'

let place: Place
let server: ServerProcess
let browser: Browser | undefined

beforeAll(async () => {
  place = await aPlace(seed)
  server = await startServer(place, '--seed', `${place.folder}/seed.json`)
  trust(server.certificate.ca)
})
afterAll(async () => {
  await browser?.close()
  await server.stop()
  await place.remove()
})

for (const javaScriptEnabled of [true, false]) {
  testInChromium(`a user signs in and approves, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    const { page, elsewhere } = await aPage({ javaScriptEnabled })
    const login = aLogin()
    const { url, pending } = await login.start()

    await page.goto(url)
    await page.getByLabel('Email').fill(pilot.email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('button', { name: 'Create account' }).isVisible()).toBe(true)
    await page.getByLabel('Password').fill(pilot.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.waitForURL((address) => address.href.startsWith(redirectUri))

    const tokens = await login.complete(pending, page.url())
    expect(tokens.accessToken.split('.')).toHaveLength(3)
    expect(elsewhere).toEqual([])
  })
}

testInChromium('a user who denies comes back with access_denied', async () => {
  const { page } = await aPage()
  const login = aLogin()
  const { url, pending } = await login.start()

  await signIn(page, url)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL((address) => address.href.startsWith(redirectUri))

  await expect(login.complete(pending, page.url())).rejects.toMatchObject({ code: 'access_denied' })
})

for (const [look, options] of Object.entries<BrowserContextOptions>({
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  narrow: { viewport: { width: 320, height: 640 } },
})) {
  testInChromium(`the pages have no axe violation and do not scroll sideways, ${look}`, async () => {
    const { page } = await aPage(options)
    const { url } = await aLogin().start()

    await page.goto(url)
    await expectUsable(page)
    await signIn(page, url)
    await expectUsable(page)
    await page.goto(`${server.ready.authOrigin}/oauth/v2/authorize?client_id=nobody`)
    await expectUsable(page)
  })
}

function aLogin() {
  const { id: clientId, secret: clientSecret } = mapView
  return createLogin({ authOrigin: server.ready.authOrigin, clientId, clientSecret, redirectUri })
}

/** A page of its own browser profile, and the requests that it made to other origins than the server's. */
async function aPage(options: BrowserContextOptions = {}): Promise<{ page: Page; elsewhere: string[] }> {
  browser ??= await launchChromium()
  const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true })
  const elsewhere: string[] = []
  // The app is not there: its callback is answered here.
  await context.route(`${redirectUri}*`, (route) => route.fulfill({ contentType: 'text/plain', body: 'the app' }))
  context.on('request', (request) => {
    const { origin, href } = new URL(request.url())
    if (origin !== server.ready.authOrigin && !href.startsWith(redirectUri)) elsewhere.push(href)
  })
  return { page: await context.newPage(), elsewhere }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Email').fill(pilot.email)
  await page.getByLabel('Password').fill(pilot.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
}

async function expectUsable(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  const [content, view] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(view ?? 0)
}
