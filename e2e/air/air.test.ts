/**
 * Tests of the air picture in a browser: the map and its panels, live, by pointer and by keyboard, and without scripts.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchChromium, testInChromium } from '../pages/chromium.ts'
import { aVisit, expectUsable, expectUsableInEveryLook } from '../pages/usable.ts'
import { type AirPortal, anAirPortal, enterPortal } from './air-portal.ts'
import { aMovingPicture, type MovingPicture } from './moving-picture.ts'

let picture: MovingPicture
let portal: AirPortal
let browser: Browser | undefined

beforeAll(async () => {
  picture = aMovingPicture(40)
  portal = await anAirPortal(picture)
})
afterAll(async () => {
  await browser?.close()
  picture.stop()
  await portal.stop()
})

testInChromium('the map shows what the stream brings, and asks no other origin for anything', async () => {
  const { page, elsewhere, console } = await anAirPage()

  await page.getByText('40 targets').waitFor()
  await page.getByRole('button', { name: /Alerts/ }).waitFor()
  await page.getByRole('button', { name: 'N172SP and ASA512 pass within 100 m' }).waitFor()
  await expect.poll(() => drawnColours(page)).toBeGreaterThan(20)
  expect(elsewhere).toEqual([])
  expect(console).toEqual([])
})

testInChromium('the keyboard alone selects a target, shows why it is one, follows it, and lets it go', async () => {
  const { page } = await anAirPage()
  await page.getByText('40 targets').waitFor()
  await page.getByRole('application').focus()
  await page.keyboard.press('n')
  const panel = page.getByRole('region', { name: 'Selected target' })
  await panel.getByText('No track fits, so a new one begins').waitFor()
  expect(await panel.textContent()).toMatch(/above mean sea level, derived from wgs84, EGM96/)
  await page.keyboard.press('f')
  await panel.getByRole('button', { name: 'Stop following' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})

testInChromium('the panel of a sensor says how wrong its clock is, with and without scripts', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await anAirPage({ javaScriptEnabled })
    const sensors = page.getByRole('region', { name: /^Sensors/ })
    if (javaScriptEnabled) await sensors.getByRole('button').click()
    await sensors.getByText('Its clock is 7.4 s behind. The picture has corrected it.').waitFor()
  }
})

testInChromium('a click on an alert selects its first target', async () => {
  const { page } = await anAirPage()
  await page.getByRole('button', { name: 'N172SP and ASA512 pass within 100 m' }).click()
  await page.getByRole('region', { name: 'Selected target' }).getByRole('heading', { name: 'N172SP' }).waitFor()
})

testInChromium('what has happened is not shown as to come, also where the page came late', async () => {
  const { page } = await anAirPage()
  await page.route('**/air', async (route) => {
    const response = await route.fetch()
    const late = (_: string, nowMs: string) => `data-now="${Number(nowMs) - 30_000}"`
    await route.fulfill({ response, body: (await response.text()).replace(/data-now="(\d+)"/, late) })
  })
  await page.reload()
  const time = page.locator('[data-alerts] .active time').first()
  await expect.poll(() => time.textContent()).toBe('0 s ago')
})

testInChromium('the key 0, and a click on an alert, end following', async () => {
  const { page } = await anAirPage()
  await page.getByText('40 targets').waitFor()
  const alert = page.getByRole('button', { name: 'N172SP and ASA512 pass within 100 m' })
  await alert.click()
  for (const end of [() => page.keyboard.press('0'), () => alert.click()]) {
    await page.getByRole('application').focus()
    await page.keyboard.press('f')
    await page.getByRole('button', { name: 'Stop following' }).waitFor()
    await end()
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  }
})

testInChromium('an alert that was clicked goes on being updated, and keeps the focus', async () => {
  const { page } = await anAirPage()
  const alert = page.getByRole('button', { name: 'N172SP and ASA512 pass within 100 m' })
  await alert.click()
  const item = page.locator('[data-alerts] > li')
  const before = await item.getAttribute('data-version')
  await expect.poll(() => item.getAttribute('data-version')).not.toBe(before)
  expect(await alert.evaluate((button) => button === document.activeElement)).toBe(true)
})

testInChromium('the table has every target, sorts them, and its rows stay the same elements', async () => {
  const { page } = await anAirPage()
  await page.getByRole('button', { name: /^Targets/ }).click()
  const row = page.locator('tr[data-key="t0"]')
  await row.waitFor()
  expect(await page.locator('[data-rows] > tr').count()).toBe(40)
  await row.evaluate((element) => element.setAttribute('data-same', ''))
  const before = await row.textContent()
  await expect.poll(() => row.textContent()).not.toBe(before)
  expect(await row.getAttribute('data-same')).toBe('')

  await page.getByRole('link', { name: 'Altitude' }).click()
  await page.getByRole('link', { name: 'Altitude' }).click()
  const heights = await page.locator('[data-rows] td[data-label="Altitude"]').allTextContents()
  const metres = heights.map((text) => Number(text.replaceAll(/[^0-9]/g, '')))
  expect(metres).toEqual([...metres].sort((a, b) => b - a))
})

testInChromium('the table is sorted as the address says', async () => {
  const { page } = await anAirPage()
  await page.goto(`${portal.origin}/air?sort=name&order=descending`)
  await page.getByRole('button', { name: /^Targets/ }).click()
  await page.locator('tr[data-key]').first().getByRole('button', { name: 'TST39' }).waitFor()
})

testInChromium('filters leave targets out of the map and of the table, and say so', async () => {
  const { page } = await anAirPage()
  await page.getByText('40 targets').waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Name or identifier').fill('asa5')
  // The status says it, and so does the announcement for screen readers.
  await page.getByText('1 of 40 targets').first().waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByText('40 targets', { exact: true }).waitFor()
  await page.getByLabel('Drones').uncheck()
  await page.getByLabel('Aircraft').uncheck()
  await page.getByText('0 of 40 targets').first().waitFor()
})

testInChromium('the replay reaches back before the page was open, also to targets that have ended', async () => {
  const { page } = await anAirPage()
  await page.getByText('40 targets').waitFor()
  await page.getByText(/^Replay from \d\d:\d\d:\d\d$/).waitFor()
  await page.getByRole('button', { name: /^Targets/ }).click()
  await page.getByLabel(/Time of the replay/).fill('-90')
  await page.getByText(/, \d+ s ago$/).waitFor()
  await page.getByRole('button', { name: 'GONE1' }).waitFor()
  await page.locator('[data-counts]').getByText('41 targets').waitFor()
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByRole('button', { name: 'GONE1' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Live' }).waitFor({ state: 'hidden' })
})

testInChromium('the arrow keys on the slider go back in time and return to now', async () => {
  const { page } = await anAirPage()
  await page.getByText('40 targets').waitFor()
  await page.getByLabel(/Time of the replay/).focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByText(/, \d+ s ago$/).waitFor()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Live' }).waitFor({ state: 'hidden' })
})

testInChromium('what a key selected, and what a filter left, is said to screen readers', async () => {
  const { page } = await anAirPage()
  const said = page.locator('[data-said]')
  await page.getByText('40 targets').waitFor()
  await page.getByRole('application').focus()
  await page.keyboard.press('Shift+N')
  await expect.poll(() => said.textContent()).toMatch(/^\S+: [\d,]+ m, \d+ m\/s, track \d{3}°$/)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Name or identifier').fill('asa5')
  await expect.poll(() => said.textContent()).toBe('1 of 40 targets are shown')
})

testInChromium('a lost stream is said, with the time of the picture', async () => {
  const { page } = await aSignedInPage()
  await page.goto(`${portal.origin}/devices`)
  await page.goto(`${portal.origin}/air`)
  await page.getByText('40 targets').waitFor()
  picture.pause(true)
  try {
    await page.getByText(/The server sends no news. This is the picture of/).waitFor()
  } finally {
    picture.pause(false)
  }
  await page.getByText(/The server sends no news/).waitFor({ state: 'hidden' })
})

testInChromium('a stream that fails before its first frame is said without a time', async () => {
  const { page } = await anAirPage()
  await page.context().route('**/air/stream*', (route) => route.abort())
  await page.goto(`${portal.origin}/air`)
  await page.getByText('The connection to the server is lost. The map continues when it is back.').waitFor()
})

testInChromium('without JavaScript, targets, alerts and sensors are lists and a table', async () => {
  const { page } = await anAirPage({ javaScriptEnabled: false })
  expect(await page.locator('[data-rows] > tr').count()).toBe(40)
  expect(await page.getByText('N172SP: turn 12 degrees to the right').isVisible()).toBe(true)
  expect(await page.locator('canvas').isVisible()).toBe(false)
})

testInChromium(
  'the page has no axe violation and no horizontal scrolling in every layout, with all panels open',
  async () => {
    const { page } = await anAirPage()
    await page.getByText('40 targets').waitFor()
    await expectUsableInEveryLook(page)
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.getByRole('application').focus()
    await page.keyboard.press('n')
    const closed = page.locator('.air-toggle[aria-expanded="false"]')
    for (let left = await closed.count(); left > 0; left--) await closed.first().click()
    await expectUsable(page)
    await page.goto(`${portal.origin}/`)
    await page.getByText(/40 targets/).waitFor()
    await expectUsable(page)
  },
)

/** How many colours the map has. */
function drawnColours(page: Page): Promise<number> {
  return page.locator('canvas').evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement
    const data = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    const colours = new Set<number>()
    for (let at = 0; at < data.length; at += 4) {
      colours.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0))
    }
    return colours.size
  })
}

async function aSignedInPage(options: BrowserContextOptions = {}) {
  browser ??= await launchChromium()
  const visit = await aVisit(browser, portal.origin, options)
  await enterPortal(visit.page, `${portal.origin}/air`)
  return visit
}

/** With scripts, when they run: the server sends the figures, but not the span of the replay. */
async function anAirPage(options: BrowserContextOptions = {}) {
  const visit = await aSignedInPage({ viewport: { width: 1_440, height: 900 }, ...options })
  if (options.javaScriptEnabled !== false) await visit.page.getByText(/^Replay from \d\d:\d\d:\d\d$/).waitFor()
  return visit
}

testInChromium('"?" shows the keys wherever the focus is, but not while somebody types', async () => {
  const { page } = await anAirPage()
  await page.getByText('40 targets').waitFor()
  const keys = page.getByRole('dialog', { name: 'Keys, while the map has the focus' })
  await page.keyboard.press('?')
  await keys.waitFor()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Name or identifier').pressSequentially('?')
  expect(await keys.isVisible()).toBe(false)
})

testInChromium('on a phone the target that is chosen in the table is a sheet below the map', async () => {
  const { page } = await anAirPage({ viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: /^Targets/ }).click()
  await page.getByRole('row', { name: 'ASA512' }).getByRole('button').click()
  const sheet = page.getByRole('region', { name: 'Selected target' })
  await sheet.getByRole('heading', { name: 'ASA512' }).waitFor()
  const [map, below] = await Promise.all([page.locator('.air-view').boundingBox(), sheet.boundingBox()])
  expect([map?.y, map?.height]).toEqual([0, expect.closeTo(below?.y ?? 0, 0)])
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBe(844)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await sheet.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3 * 844)
})
