/** Tests of lists and charts that change on open pages while somebody uses them. */
import { afterAll, beforeAll, expect } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { aPortal, aPosition, type Portal } from './a-portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await aPortal()
})
afterAll(() => portal.stop())

testInChromium('a row with the focus keeps it while reports arrive, and new rows wait behind a button', async () => {
  const { page, console } = await portal.aPage()
  await portal.enter(page)
  const agent = portal.aReportingAgent('roof1')
  await agent.report(aPosition(1, 'AAAAAA'))
  await page.goto(portal.toDevicePage('roof1'))
  const row = page.locator('tr[data-key="AAAAAA"]')
  await row.waitFor()
  await agent.report(aPosition(2, 'AAAAAA'))
  const earlier = row.locator('summary')
  await earlier.focus()

  await agent.report(aPosition(3, 'BBBBBB'))
  await page.getByRole('button', { name: '1 new' }).waitFor()
  const hasFocus = () => earlier.evaluate((element) => element === element.ownerDocument.activeElement)
  expect([await hasFocus(), await page.locator('tr[data-key="BBBBBB"]').count()]).toEqual([true, 0])
  await page.getByRole('button', { name: '1 new' }).click()

  await page.locator('tr[data-key="BBBBBB"]').waitFor()
  expect(await page.locator('tr[data-key="AAAAAA"]').count()).toBe(1)
  expect(console).toEqual([])
  await agent.close()
})

testInChromium('a list that is not in use shows what is new by itself, in the same row', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  const agent = portal.aReportingAgent('roof1')
  await agent.report(aPosition(4, 'CCCCCC'))
  await page.goto(portal.toDevicePage('roof1'))
  const row = await page.locator('tr[data-key="CCCCCC"]').elementHandle()
  await agent.report(aPosition(5, 'CCCCCC'))
  await page.getByRole('cell', { name: /60.30005, 24.90000/ }).waitFor()
  expect(await row?.evaluate((element) => element.isConnected && element.textContent?.includes('60.30005'))).toBe(true)
  await agent.close()
})

testInChromium('a row under the pointer stays where it is while others change and new ones wait', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  const agent = portal.aReportingAgent('roof1')
  await agent.report(aPosition(1, 'EEEEE1'))
  await agent.report(aPosition(1, 'EEEEE2'))
  await page.goto(portal.toDevicePage('roof1'))
  const row = page.locator('tr[data-key="EEEEE2"]')
  await row.hover()
  const before = await row.boundingBox()

  // With its second position the row above needs a second line.
  await agent.report(aPosition(2, 'EEEEE1'))
  await agent.report(aPosition(3, 'EEEEE0'))
  await page.getByRole('button', { name: '1 new' }).waitFor()
  expect(await row.boundingBox()).toEqual(before)
  await page.getByRole('button', { name: '1 new' }).click()

  await page.locator('tr[data-key="EEEEE0"]').waitFor()
  await page.mouse.move(0, 0)
  await page.locator('tr[data-key="EEEEE1"]').getByText('1 earlier').waitFor()
  await agent.close()
})

testInChromium('after the keyboard has shown what is new, the focus is on the first new row', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  const agent = portal.aReportingAgent('roof1')
  for (const n of [1, 2]) await agent.report(aPosition(n, 'FFFFF1'))
  await page.goto(portal.toDevicePage('roof1'))
  await page.locator('tr[data-key="FFFFF1"] summary').focus()
  await agent.report(aPosition(3, 'FFFFF2'))
  const news = page.getByRole('button', { name: '1 new' })
  await news.waitFor()
  await news.focus()
  await page.keyboard.press('Enter')

  await news.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-key'))).toBe('FFFFF2')
  await agent.close()
})

testInChromium('a chart whose figures are open goes on, with the figures', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  const { promise: areOpen, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/live', async (route) => {
    await areOpen
    await route.continue()
  })
  await page.goto(portal.toDevicePage('roof1'))
  const figures = page.getByRole('figure', { name: 'Positions and reports a minute' })
  await figures.locator('summary').click()
  const rows = figures.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count()).toBeGreaterThan(1)
  // As it was an hour ago.
  await page.locator('#rate-chart-data tbody').evaluate((body) => body.replaceChildren())
  go()

  await expect.poll(() => rows.count()).toBeGreaterThan(1)
})

testInChromium('the storage switch says what became true, over the page, so that the list holds still', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  await page.goto(`${portal.server.ready.uiOrigin}/devices`)
  const storage = page.getByRole('switch').first()
  await storage.hover()
  const top = async () => (await storage.boundingBox())?.y
  const before = await top()

  await storage.click()
  await page.getByText('Storage is off for Roof.').waitFor()

  // Not its left side: a time of another column may have become longer.
  expect(await top()).toBe(before)
  await storage.click()
  await page.getByText('Storage is on for Roof.').waitFor()
})

testInChromium('a header sorts the list in place and keeps the focus; More leaves its row as it is', async () => {
  const { page, console } = await portal.aPage()
  await portal.enter(page)
  await page.goto(`${portal.server.ready.uiOrigin}/devices`)
  const row = page.locator('#devices > tr').first()
  const before = (await row.boundingBox())?.height
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))

  await page.getByRole('link', { name: 'Last report' }).press('Enter')
  await page.locator('th[aria-sort="descending"]').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Last report')
  expect([new URL(page.url()).search, await page.getByLabel('Sort by').inputValue()]).toEqual([
    '?sort=report',
    'report',
  ])
  await row.getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Tags').waitFor()
  expect([(await row.boundingBox())?.height, await page.locator('[data-same-page]').count()]).toEqual([before, 1])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(console).toEqual([])
})
