/** Tests of the account page in a browser: each of its states, with and without JavaScript, and its accessibility. */
import { createLogin } from '@posrep/client-sdk'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { mapView, pilot, redirectUri, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'
import { launchChromium, testInChromium } from './chromium.ts'
import { aVisit, expectUsableInEveryLook, press, signIn } from './usable.ts'

/** Each test that changes a password has its own account, so that tests do not affect each other. */
const people = ['with', 'without', 'twice', 'elsewhere', 'looked-at'].map((name) => ({
  email: `${name}@example.com`,
  password: pilot.password,
  account: 'acme',
}))

let location: ServerLocation
let server: ServerProcess
let browser: Browser | undefined

beforeAll(async () => {
  location = await aServerLocation({ ...seed, users: [...seed.users, ...people] })
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
})
afterAll(async () => {
  await browser?.close()
  await server.stop()
  await location.remove()
})

for (const [name, javaScriptEnabled] of [
  ['with', true],
  ['without', false],
] as const) {
  testInChromium(
    `a user revokes an application, ends a session and changes the password, ${name} JavaScript`,
    async () => {
      const person = { email: `${name}@example.com`, password: pilot.password }
      const other = await aPage({ javaScriptEnabled })
      await openAccount(other.page, person)
      const { page, elsewhere } = await aPage({ javaScriptEnabled })
      const tokens = await approve(page, person)

      await page.goto(account())
      await page.getByRole('link', { name: 'Revoke Map view' }).click()
      await page.getByRole('link', { name: 'Keep access' }).click()
      await page.getByRole('link', { name: 'Revoke Map view' }).click()
      await page.getByRole('button', { name: 'Revoke access' }).click()
      await page.getByText('No applications yet').waitFor()
      expect(await statusOf(tokens.accessToken)).toBe(401)

      expect(await page.getByRole('link', { name: /^End the session/ }).count()).toBe(2)
      await otherSession(page).click()
      await page.getByRole('button', { name: 'End session' }).click()
      await page.getByText('The session has ended').waitFor()
      expect(await page.getByRole('link', { name: /^End the session/ }).count()).toBe(1)
      await other.page.goto(account())
      expect(await other.page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true)

      await changePassword(page, 'not the password', 'another horse 43')
      expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
      await changePassword(page, person.password, 'another horse 43')
      await page.getByText('Your password was changed').waitFor()
      await press(page, 'Sign out')
      await page.getByRole('heading', { name: 'Signed out' }).waitFor()
      await page.goto(account())
      await signIn(page, { ...person, password: 'another horse 43' })
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
      expect(elsewhere).toEqual([])
    },
  )
}

testInChromium('errors are shown in a summary that has the focus', async () => {
  const person = { email: 'elsewhere@example.com', password: pilot.password }
  const { page } = await aPage()
  await openAccount(page, person)

  await changePassword(page, 'not the password', 'another horse 43')

  // The browser sets the focus after the layout of the page.
  await page.locator('[role=alert]:focus').waitFor()
})

testInChromium('the exact time is shown under the pointer, and a time is no tab stop', async () => {
  const { page } = await aPage()
  await openAccount(page, pilot)
  const moment = page.locator('time').first()
  const shown = () => moment.evaluate((element) => getComputedStyle(element, '::after').content)

  expect(await shown()).toBe('none')
  await moment.hover()

  await expect.poll(shown).toMatch(/ · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"$/)
  expect(await page.locator('time[tabindex]').count()).toBe(0)
})

testInChromium('a typed password can be shown, and the button names the account that it creates', async () => {
  const { page } = await aPage()
  await page.goto(account())
  await page.getByLabel('Email').fill('new@example.com')
  await page.getByRole('button', { name: 'Create account new@example.com' }).waitFor()
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('a long password')
  await page.getByLabel('Show password').check()
  expect(await field.getAttribute('type')).toBe('text')
})

testInChromium('a double click changes the password once and keeps the user signed in', async () => {
  const person = { email: 'twice@example.com', password: pilot.password }
  const { page } = await aPage()
  await openAccount(page, person)

  await page.getByLabel('Current password').fill(person.password)
  await page.getByLabel('New password').fill('another horse 43')
  await page.getByRole('button', { name: 'Change password' }).dblclick()

  await page.getByText('Your password was changed').waitFor()
  expect(await page.getByRole('link', { name: /^End the session/ }).count()).toBe(1)
})

testInChromium('every state of the account page is accessible in every layout', async () => {
  const person = { email: 'looked-at@example.com', password: pilot.password }
  const { page, elsewhere, console } = await aPage()

  await page.goto(account())
  await expectUsableInEveryLook(page)
  await signIn(page, { ...person, password: 'not the password' })
  await page.getByRole('alert').waitFor()
  await expectUsableInEveryLook(page)
  await signIn(page, person)
  await page.getByText('No applications yet').waitFor()
  await expectUsableInEveryLook(page)

  await approve(page)
  await page.goto(account())
  await page.locator('time').first().hover()
  await expectUsableInEveryLook(page)
  await changePassword(page, 'not the password', 'another horse 43')
  await page.getByRole('alert').waitFor()
  await expectUsableInEveryLook(page)
  await page.getByRole('link', { name: /^End the session/ }).click()
  await page.getByRole('button', { name: 'End session' }).waitFor()
  await expectUsableInEveryLook(page)
  await page.goto(account())
  await page.getByRole('link', { name: 'Revoke Map view' }).click()
  await page.getByRole('button', { name: 'Revoke access' }).waitFor()
  await expectUsableInEveryLook(page)
  await page.getByRole('button', { name: 'Revoke access' }).click()
  await page.getByRole('status').waitFor()
  await expectUsableInEveryLook(page)
  expect(console).toEqual([])
  await page.goto(`${account()}/nothing`)
  await expectUsableInEveryLook(page)
  expect(elsewhere).toEqual([])
})

function account(): string {
  return `${server.ready.authOrigin}/account`
}

async function aPage(options: BrowserContextOptions = {}) {
  browser ??= await launchChromium()
  return aVisit(browser, server.ready.authOrigin, options)
}

async function openAccount(page: Page, person: typeof pilot): Promise<void> {
  await page.goto(account())
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
}

/** Starts the app's login and approves it; signs in first if necessary. */
async function approve(page: Page, person?: typeof pilot) {
  const { id: clientId, secret: clientSecret } = mapView
  const login = createLogin({ authOrigin: server.ready.authOrigin, clientId, clientSecret, redirectUri })
  const { url, pending } = await login.start()
  await page.goto(url)
  if (person) await signIn(page, person)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL((address) => address.href.startsWith(redirectUri))
  return login.complete(pending, page.url())
}

/** The row of the session that is not the current one. */
function otherSession(page: Page) {
  return page
    .getByRole('listitem')
    .filter({ hasNotText: 'This browser' })
    .getByRole('link', { name: /^End the session/ })
}

async function changePassword(page: Page, current: string, next: string): Promise<void> {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
}

async function statusOf(accessToken: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await fetch(`${server.ready.uiOrigin}/v1/devices`, { headers })).status
}
