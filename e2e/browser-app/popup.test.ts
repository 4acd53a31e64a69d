/** Sign-in in a popup, and with storage disabled, in a real Chromium. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { aBrowser, type Browser } from './a-browser.ts'
import { expireRepeatedly } from './expiries.ts'
import { type ServedApp, serveBrowserApp } from './served-app.ts'
import { signInAndApprove } from './sign-in.ts'
import { isSignedIn, type Tab, untilAllCalled } from './tab.ts'

let app: ServedApp
let browser: Browser

beforeAll(async () => {
  app = await serveBrowserApp()
})
afterEach(() => browser.close())
afterAll(() => app.stop())

testInChromium('a popup of 500 × 600 signs in, and the page stays as it is', async () => {
  browser = await aBrowser(app)
  const tab = await browser.openTab()
  await tab.page.evaluate(() => document.body.setAttribute('data-mark', 'same document'))
  const popup = await openPopup(tab)
  expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 600])
  const closed = popup.waitForEvent('close')
  await signInAndApprove(popup)
  await closed

  await tab.page.getByRole('button', { name: 'Sign out' }).waitFor()
  expect(await tab.page.getAttribute('body', 'data-mark')).toBe('same document')
  expect(tab.problems).toEqual([])
})

testInChromium('a popup that the user closes is a sentence on the page', async () => {
  browser = await aBrowser(app)
  const tab = await browser.openTab()
  await (await openPopup(tab)).close()

  await tab.page
    .getByRole('alert')
    .getByText(/closed/)
    .waitFor()
  expect(await tab.page.getByRole('button', { name: 'Sign in', exact: true }).isVisible()).toBe(true)
})

testInChromium('a declined approval is a sentence on the page', async () => {
  browser = await aBrowser(app)
  const tab = await browser.openTab()
  await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await signInAndApprove(tab.page, 'Deny')

  await tab.page.getByText('You did not approve the access').waitFor()
  expect(tab.page.url()).toBe(app.address)
})

testInChromium('a blocked popup becomes a redirect in the same tab', async () => {
  browser = await aBrowser(app, { blocksPopups: true })
  const tab = await browser.openTab()
  // Without a user's gesture Chromium opens no window.
  const session = await browser.context.newCDPSession(tab.page)
  const expression = 'document.querySelector("#sign-in-popup").click()'
  await session.send('Runtime.evaluate', { expression, userGesture: false })
  await signInAndApprove(tab.page)

  await tab.page.getByRole('button', { name: 'Sign out' }).waitFor()
  expect(browser.context.pages().filter((page) => page !== tab.page && page.url() !== 'about:blank')).toEqual([])
})

testInChromium('without storage a redirect is impossible, and a popup signs in', async () => {
  browser = await aBrowser(app, { isStorageDisabled: true })
  const tab = await browser.openTab()
  await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.page
    .getByRole('alert')
    .getByText(/storage/i)
    .waitFor()

  await signInWithPopup(tab)
  expect(await isSignedIn(tab)).toBe(true)
})

testInChromium('without storage, tabs that share tokens refresh and stay signed in', async () => {
  browser = await aBrowser(app, { isStorageDisabled: true })
  const tabs = [await browser.openTab(), await browser.openTab()]
  for (const tab of tabs) await signInWithPopup(tab)
  await untilAllCalled(tabs)
  const { refreshes, signedOut, problems } = await expireRepeatedly(browser, tabs, 3)

  // Chromium refuses locks as well: both tabs may refresh, and the server answers the second with the same pair.
  expect(refreshes).toMatchObject({ used: 3, refused: 0 })
  expect({ signedOut, problems }).toEqual({ signedOut: [], problems: [] })
})

async function openPopup({ page }: Tab): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in in a new window' }).click()
  const popup = await opened
  // It opens empty.
  await popup.waitForURL(`${app.server.origin}/**`)
  return popup
}

async function signInWithPopup(tab: Tab): Promise<void> {
  await signInAndApprove(await openPopup(tab))
  await tab.page.getByRole('button', { name: 'Sign out' }).waitFor()
}
