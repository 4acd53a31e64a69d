/**
 * Tests of what is written on the map of the air picture, and of the room that its panels leave, in windows of several
 * sizes.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchChromium, testInChromium } from '../pages/chromium.ts'
import { aVisit } from '../pages/usable.ts'
import { type AirPortal, anAirPortal, enterPortal } from './air-portal.ts'
import { findCoveredNames, recordNames } from './map-names.ts'
import { recordTexts, whereTextsAre } from './map-texts.ts'
import { aMovingPicture, type MovingPicture } from './moving-picture.ts'

const notice = /^Not for navigation$/
const ofConflict = /^(in \d+ s|now): 100 m/

let picture: MovingPicture
let portal: AirPortal
let browser: Browser | undefined

beforeAll(async () => {
  // It looks the same in each run, however long the tests take.
  picture = aMovingPicture(40, { isStill: true })
  portal = await anAirPortal(picture)
})
afterAll(async () => {
  await browser?.close()
  picture.stop()
  await portal.stop()
})

testInChromium(
  'every map says that it is not for navigation, and the large one has the whole text of a conflict, in each size and theme',
  async () => {
    const page = await anAirPage()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [320, 768, 1_440]) {
        await page.setViewportSize({ width, height: 640 })
        for (const path of ['/air', '/', '/devices/urn:aa:device:acme:roof1']) {
          await page.goto(`${portal.origin}${path}`)
          await page.getByText(/40 targets/).waitFor()
          await page.locator('canvas').first().scrollIntoViewIfNeeded()
          await expect.poll(() => whereTextsAre(page, notice)).toEqual(['free'])
          await expect.poll(() => whereTextsAre(page, ofConflict)).toEqual(path === '/air' ? ['free'] : [])
        }
      }
    }
  },
)

testInChromium('the text of a conflict is not cut by the edge of the map, and not covered by open panels', async () => {
  const page = await anAirPage()
  await page.getByText('40 targets').waitFor()
  for (const name of [/^Targets/, /^Sensors/]) await page.getByRole('button', { name }).click()
  await expect.poll(() => whereTextsAre(page, ofConflict)).toEqual(['free'])
  await page.getByRole('application').focus()

  for (const key of ['ArrowLeft', 'ArrowRight']) {
    await page.keyboard.press('0')
    for (let moves = 0; moves < 6; moves++) {
      await page.keyboard.press(key)
      const where = await whereTextsAre(page, ofConflict)
      expect(where.filter((one) => one !== 'free')).toEqual([])
    }
  }
})

testInChromium('no name of a place is under the label of a target, at any zoom', async () => {
  const page = await anAirPage()
  await page.getByText('40 targets').waitFor()
  await page.getByRole('button', { name: 'N172SP and ASA512 pass within 100 m' }).click()
  await page.getByRole('application').focus()

  const numbers = { names: 0, labels: 0 }
  for (const key of ['0', '+', '+', '+', '+', '-', '-']) {
    await page.keyboard.press(key)
    await expect.poll(async () => (await findCoveredNames(page)).covered).toEqual([])
    const { names, labels } = await findCoveredNames(page)
    numbers.names += names
    numbers.labels += labels
  }
  expect(Math.min(numbers.names, numbers.labels)).toBeGreaterThan(20)
})

testInChromium('the label of a target leaves the name and the limits of an area free, where it can', async () => {
  const page = await anAirPage()
  await page.setViewportSize({ width: 1_920, height: 1_080 })
  const look = () => findCoveredNames(page, 'ground')
  await expect.poll(async () => (await look()).names).toBeGreaterThan(1)
  await expect.poll(async () => (await look()).labels).toBeGreaterThan(20)

  await expect.poll(async () => (await look()).covered).toEqual([])
})

testInChromium('with all panels open, the title of the alerts and the active alert stay in view', async () => {
  const page = await anAirPage()
  await page.getByRole('button', { name: 'N172SP and ASA512 pass within 100 m' }).waitFor()
  for (const name of [/^Targets/, /^Sensors/, /^Filter/]) await page.getByRole('button', { name }).click()

  expect(await page.getByRole('button', { name: /^Alerts/ }).evaluate(isOnTop)).toBe(true)
  expect(await page.getByText('Conflict', { exact: true }).evaluate(isOnTop)).toBe(true)
})

testInChromium('the page of the map is exactly as high as the window', async () => {
  const page = await anAirPage()
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
})

async function anAirPage(): Promise<Page> {
  browser ??= await launchChromium()
  const { page } = await aVisit(browser, portal.origin, { viewport: { width: 1_440, height: 900 } })
  await recordTexts(page)
  await recordNames(page)
  await enterPortal(page, `${portal.origin}/air`)
  return page
}

function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}
