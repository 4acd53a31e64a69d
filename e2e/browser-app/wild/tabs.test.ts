/** Two tabs of one app in a real Chromium: what one does, the other learns. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { chromiumOptions, testInChromium } from '../../pages/chromium.ts'
import { signInAndApprove } from '../sign-in.ts'
import { aWildApp, type WildApp } from './a-wild-app.ts'
import { aWildBrowser, type WildBrowser } from './a-wild-browser.ts'

let app: WildApp
let browser: WildBrowser

beforeAll(async () => {
  app = await aWildApp()
})
beforeEach(async () => {
  browser = await aWildBrowser(chromiumOptions())
})
afterEach(() => browser.close())
afterAll(() => app.stop())

testInChromium('a sign-out in one tab reaches the other one every time', async () => {
  app.setScript(`
window.reasons = []
window.posrep = createPosrep({ ...options, tokenStore: webTokenStore(), onSignedOut: (reason) => reasons.push(reason) })`)
  const [{ page: one }, { page: other }] = [await browser.open(app.origin), await browser.open(app.origin)]

  for (let round = 1; round <= 30; round++) {
    await one.evaluate('posrep.session.signIn({ accessToken: "A1", refreshToken: "R1" })')
    await other.waitForFunction('posrep.isSignedIn()')
    await one.evaluate('posrep.signOut().catch(() => {})')
    await other.waitForFunction(`reasons.length === ${round}`)
  }

  expect(await other.evaluate('[...new Set(reasons)]')).toEqual(['ended_elsewhere'])
})

testInChromium('a tab is told that another user signed in, and does not call for that user before', async () => {
  app.setScript(`
const posrep = createPosrep({ ...options, tokenStore: webTokenStore(), onSignedOut: (reason) => say(reason) })
window.posrep = posrep
if (await posrep.handleCallback()) say((await posrep.getMe()).userName)
document.querySelector('#go').onclick = () => posrep.signIn()`)
  const { page: first } = await browser.open(app.origin)
  await first.getByRole('button', { name: 'Go' }).click()
  await signInAndApprove(first)
  await first.getByText(app.server.user.email).waitFor()
  const { page: second } = await browser.open(app.origin)
  await second.getByText(app.server.user.email).waitFor()

  await first.getByRole('button', { name: 'Go' }).click()
  await first.getByRole('button', { name: 'Not you? Sign in as someone else' }).click()
  await first.getByLabel('Email').fill('other@example.com')
  await first.getByLabel('Password', { exact: true }).fill('another password')
  await first.getByRole('button', { name: 'Create account' }).click()
  await first.getByRole('button', { name: 'Approve' }).click()
  await first.getByText('other@example.com').waitFor()

  await second.getByText('user_changed').waitFor()
  expect(await second.evaluate('posrep.getMe().then(({ userName }) => userName)')).toBe('other@example.com')
})
