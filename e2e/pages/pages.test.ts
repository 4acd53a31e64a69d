/**
 * Tests of the login pages in a browser: they work without JavaScript, send no request to another origin, and are
 * accessible.
 */
import { createLogin } from '@posrep/client-sdk'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { mapView, pilot, redirectUri, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'
import { launchChromium, testInChromium } from './chromium.ts'
import { aVisit, expectUsableInEveryLook, signIn } from './usable.ts'

let location: ServerLocation
let server: ServerProcess
let browser: Browser | undefined

beforeAll(async () => {
  location = await aServerLocation(seed)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
})
afterAll(async () => {
  await browser?.close()
  await server.stop()
  await location.remove()
})

for (const javaScriptEnabled of [true, false]) {
  testInChromium(`a user signs in and approves, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    const { page, elsewhere } = await aPage({ javaScriptEnabled })
    const login = aLogin()
    const { url, pending } = await login.start()

    await page.goto(url)
    await page.getByLabel('Email').fill(pilot.email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('button', { name: 'Create account' }).isVisible()).toBe(true)
    await page.getByLabel('Password', { exact: true }).fill(pilot.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.waitForURL((address) => address.href.startsWith(redirectUri))

    const tokens = await login.complete(pending, page.url())
    expect(tokens.accessToken.split('.')).toHaveLength(3)
    expect(elsewhere).toEqual([])
  })
}

testInChromium('a user who denies is redirected with access_denied', async () => {
  const { page } = await aPage()
  const login = aLogin()
  const { url, pending } = await login.start()

  await page.goto(url)
  await signIn(page)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL((address) => address.href.startsWith(redirectUri))

  await expect(login.complete(pending, page.url())).rejects.toMatchObject({ code: 'access_denied' })
})

testInChromium('the pages have no axe violation and no horizontal scrolling in every layout', async () => {
  const { page, console } = await aPage()
  const { url } = await aLogin().start()

  await page.goto(url)
  await expectUsableInEveryLook(page)
  await signIn(page, { ...pilot, password: 'not the password' })
  await page.getByRole('alert').waitFor()
  await expectUsableInEveryLook(page)
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await expectUsableInEveryLook(page)
  expect(console).toEqual([])
  await page.goto(`${server.ready.authOrigin}/oauth/v2/authorize?client_id=nobody`)
  await expectUsableInEveryLook(page)
})

function aLogin() {
  const { id: clientId, secret: clientSecret } = mapView
  return createLogin({ authOrigin: server.ready.authOrigin, clientId, clientSecret, redirectUri })
}

async function aPage(options: BrowserContextOptions = {}) {
  browser ??= await launchChromium()
  return aVisit(browser, server.ready.authOrigin, options)
}
