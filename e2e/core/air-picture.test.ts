/** The air picture in a browser: what a sensor reports is on the map, live. */
import { afterAll, beforeAll, expect } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { aPortal, aPosition, type Portal } from '../portal/a-portal.ts'

let portal: Portal

beforeAll(async () => {
  portal = await aPortal()
})
afterAll(() => portal.stop())

testInChromium('a target that a sensor reports appears on the map, and its panel names the sensor', async () => {
  const { page, elsewhere, console } = await portal.aPage({ viewport: { width: 1_440, height: 900 } })
  await portal.enter(page)
  await page.goto(`${portal.server.ready.uiOrigin}/air`)
  await page.getByText('0 targets').waitFor()

  const agent = portal.aReportingAgent('roof1')
  await agent.report(aPosition(1))
  await page.getByText('1 target', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Targets/ }).click()
  await page.locator('tr[data-key]').getByRole('button', { name: '461F9C' }).click()
  const panel = page.getByRole('region', { name: 'Selected target' })
  await panel.getByRole('heading', { name: '461F9C' }).waitFor()
  await panel.getByText(/roof1/).first().waitFor()

  expect([elsewhere, console]).toEqual([[], []])
  await agent.close()
})
