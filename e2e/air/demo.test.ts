/**
 * The air picture of the demo in a browser: sensors, agents, service, stream and page as a user has them, with nothing
 * scripted.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchChromium, testInChromium } from '../pages/chromium.ts'
import { aVisit } from '../pages/usable.ts'
import { aServerLocation, type DemoProcess, type ServerLocation, startDemo } from '../parts/server-process.ts'
import { enterPortal } from './air-portal.ts'

/** The aircraft of the demo meets the drone every 160 s. */
const encounterMs = 240_000
let location: ServerLocation
let demo: DemoProcess
let browser: Browser | undefined

beforeAll(async () => {
  location = await aServerLocation()
  demo = await startDemo(location)
  await demo.line(/relayed +[1-9]/)
})
afterAll(async () => {
  await browser?.close()
  await demo.stop()
  await location.remove()
})

testInChromium(
  'the demo shows its targets, why the positions of two sensors are one target, and the alert of the staged encounter',
  async () => {
    const origin = `https://localhost:${location.port}`
    browser = await launchChromium()
    const { page, elsewhere, console } = await aVisit(browser, origin, { viewport: { width: 1_440, height: 900 } })
    page.on('pageerror', ({ message }) => console.push(message))
    await enterPortal(page, `${origin}/air`)

    await expect.poll(() => countOfTargets(page)).toBeGreaterThan(10)

    await page.getByRole('button', { name: /^Targets/ }).click()
    const shared = page.locator('tr[data-key]', { has: page.locator('td[data-label="Sensors"]', { hasText: ', ' }) })
    await shared.first().getByRole('button').click()
    const panel = page.getByRole('region', { name: 'Selected target' })
    const reasons = panel.locator('div:has(> h3)', { hasText: 'Why these belong together' })
    await reasons
      .getByText(/as track t\w+ has|prediction of track t\w+|both are one target/)
      .first()
      .waitFor()
    const said = (await reasons.textContent()) ?? ''
    expect(['roof1', 'mast2', 'radar1'].filter((sensor) => said.includes(sensor)).length).toBeGreaterThan(1)

    // One locator for both: the advice goes before the alert does, so an alert that is nearly over has none.
    // The target that is reported first is named first.
    await page
      .locator('[data-alerts] .active')
      .filter({ has: page.getByRole('button', { name: /DEMO1581F4 and DEMO1 |DEMO1 and drone DEMO1581F4 / }) })
      .filter({ has: page.getByText(/^DEMO1: /) })
      .first()
      .waitFor({ timeout: encounterMs })

    expect(elsewhere).toEqual([])
    expect(console).toEqual([])
  },
)

async function countOfTargets(page: Page): Promise<number> {
  return Number.parseInt((await page.locator('[data-counts]').textContent()) ?? '', 10)
}
