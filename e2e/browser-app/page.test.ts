/** The page of examples/browser-app: accessible in every state and layout, with the positions of the reports. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { expectUsableInEveryLook } from '../pages/usable.ts'
import { aBrowser, type Browser } from './a-browser.ts'
import { openSignedInTabs } from './expiries.ts'
import { type ServedApp, serveBrowserApp } from './served-app.ts'

let app: ServedApp
let browser: Browser

beforeAll(async () => {
  app = await serveBrowserApp()
})
beforeEach(async () => {
  browser = await aBrowser(app)
})
afterEach(() => browser.close())
afterAll(() => app.stop())

testInChromium('every state of the page is accessible and fits, from 320 px to 1,440 px', async () => {
  const { page: signedOut } = await browser.openTab()
  await signedOut.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await expectUsableInEveryLook(signedOut)

  const [tab] = await openSignedInTabs(browser, 1)
  await tab?.page.getByText('Waiting for reports').waitFor()
  if (tab) await expectUsableInEveryLook(tab.page)

  await report('FIN1175', 4876.8)
  await tab?.page.getByRole('row', { name: /FIN1175/ }).waitFor()
  if (tab) await expectUsableInEveryLook(tab.page)

  await tab?.page.getByText('Map of the air picture').click()
  await tab?.page.getByRole('application', { name: 'Map of targets' }).waitFor()
  if (tab) await expectUsableInEveryLook(tab.page)
})

testInChromium('a new position replaces the earlier one of the same aircraft', async () => {
  const [tab] = await openSignedInTabs(browser, 1)
  await report('FIN85P', 950, { lat: 60.6, lon: 24.9 })
  await tab?.page.getByRole('row', { name: /FIN85P 950.m, pressure altitude 360.km\/h/ }).waitFor()
  await report('FIN85P', 1_100, { lat: 60.6, lon: 24.9 })
  await tab?.page.getByRole('row', { name: /FIN85P 1,100.m/ }).waitFor()

  expect(await tab?.page.getByRole('row', { name: /FIN85P/ }).count()).toBe(1)
})

async function report(callSign: string, height: number, place = { lat: 60.3172, lon: 24.9633 }): Promise<void> {
  const position = {
    id: `${callSign}-${height}`,
    sourceTimeStamp: new Date(app.server.clock.now()).toISOString(),
    target: { ids: [{ id: callSign, type: 'CallSign' }] },
    position: place,
    altitudes: [{ height, datum: 'bar' as const }],
    groundVelocity: { x: 60, y: 80, z: 0 },
  }
  await app.server.report({ positions: [position] })
}
