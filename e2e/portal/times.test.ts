/** Tests of the times on open pages. */
import { afterAll, beforeAll, expect } from 'vitest'
import { currentTimeMs } from '../../testing/real-time.ts'
import { testInChromium } from '../pages/chromium.ts'
import { aPortal, aPosition, type Portal } from './a-portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await aPortal()
})
afterAll(() => portal.stop())

testInChromium('times tick, and a minute later they are the time of the day, with the zone on hover', async () => {
  const { page } = await portal.aPage({ timezoneId: 'Europe/Helsinki' })
  await page.clock.install()
  await portal.enter(page)
  const agent = portal.aReportingAgent('roof1')
  await agent.report(aPosition(6, 'DDDDDD'))
  await agent.close()
  await page.goto(portal.toDevicePage('roof1'))
  const received = page.locator('tr[data-key="DDDDDD"] time').first()
  await expect.poll(() => received.textContent()).toMatch(/^\d+ s ago$/)
  const first = await received.textContent()
  await page.clock.runFor(1_000)
  await expect.poll(() => received.textContent()).not.toBe(first)
  await page.clock.runFor(61_000)

  await expect.poll(() => received.textContent()).toMatch(/^\d\d:\d\d:\d\d$/)
  expect(await received.getAttribute('data-exact')).toMatch(/Europe\/Helsinki · .* UTC$/)
})

testInChromium(
  'times are right although the clock of the browser is wrong, and is set while the page is open',
  async () => {
    const { page } = await portal.aPage()
    const wrongBy = (minutes: number) => new Date(currentTimeMs() + minutes * 60_000)
    await page.clock.install({ time: wrongBy(10) })
    await portal.enter(page)
    const agent = portal.aReportingAgent('roof1')
    await agent.report(aPosition(7, 'CCCCCC'))
    await agent.close()
    await page.goto(portal.toDevicePage('roof1'))
    const received = page.locator('tr[data-key="CCCCCC"] time').first()
    await expect.poll(() => received.textContent()).toMatch(/^\d+ s ago$/)

    await page.clock.setSystemTime(wrongBy(-30))
    await page.clock.runFor(1_000)

    expect(await received.textContent()).toMatch(/^\d+ s ago$/)
  },
)
