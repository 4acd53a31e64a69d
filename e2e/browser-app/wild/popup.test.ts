/** Popups of apps with a Cross-Origin-Opener-Policy, in a real Chromium. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { chromiumOptions, testInChromium } from '../../pages/chromium.ts'
import { signInAndApprove } from '../sign-in.ts'
import { aWildApp, type WildApp } from './a-wild-app.ts'
import { aWildBrowser, type WildBrowser, type WildPage } from './a-wild-browser.ts'

let app: WildApp
let browser: WildBrowser

beforeAll(async () => {
  app = await aWildApp()
  app.setScript(`
const posrep = createPosrep({ ...options, tokenStore: webTokenStore() })
posrep.handleCallback().catch((error) => say(error.code))
document.querySelector('#go').onclick = () =>
  signInWithPopup(posrep, { timeoutMs: window.timeoutMs ?? 600_000 })
    .then(async () => say((await posrep.getMe()).userName))
    .catch((error) => say(error.code))`)
})
beforeEach(async () => {
  browser = await aWildBrowser(chromiumOptions())
})
afterEach(() => browser.close())
afterAll(() => app.stop())

async function openPopup({ page }: WildPage): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Go' }).click()
  const popup = await opened
  await popup.waitForURL(`${app.server.origin}/**`)
  return popup
}

const said = ({ page }: WildPage, text: string) => page.locator('#said', { hasText: text }).waitFor()

describe.each([
  ['same-origin', ['/', '/callback']],
  ['same-origin-allow-popups', ['/', '/callback']],
  ['same-origin', ['/callback']],
  ['noopener-allow-popups', ['/', '/callback']],
])('with the policy %s on %j', (policy, paths) => {
  beforeEach(() =>
    app.setHost(({ url = '' }, response) => {
      if (paths.includes(url.split('?')[0] ?? '')) response.setHeader('cross-origin-opener-policy', policy)
      return false
    }),
  )

  testInChromium('a popup signs in, and closes', async () => {
    const tab = await browser.open(app.origin)
    const popup = await openPopup(tab)
    const closed = popup.waitForEvent('close')
    await signInAndApprove(popup)

    await said(tab, app.server.user.email)
    await closed
  })

  testInChromium('a declined approval is told to the page, and the popup closes', async () => {
    const tab = await browser.open(app.origin)
    const popup = await openPopup(tab)
    const closed = popup.waitForEvent('close')
    await signInAndApprove(popup, 'Deny')

    await said(tab, 'access_denied')
    await closed
  })
})

testInChromium('a popup that the policy hides, and that the user closes, ends in time', async () => {
  app.setHost((_request, response) => {
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    return false
  })
  const tab = await browser.open(app.origin)
  await tab.page.evaluate('window.timeoutMs = 3_000')
  await (await openPopup(tab)).close()

  await said(tab, 'popup_timeout')
})

testInChromium('a popup whose page has gone to another one is closed', async () => {
  app.setHost(() => false)
  const tab = await browser.open(app.origin)
  const popup = await openPopup(tab)
  const closed = popup.waitForEvent('close')
  await tab.page.goto('about:blank')

  await closed
  expect(popup.isClosed()).toBe(true)
})
