/** Tests of the overview in a browser. */
import { afterAll, beforeAll, expect } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { aPortal, type Portal } from './a-portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await aPortal()
})
afterAll(() => portal.stop())

testInChromium('the map, the figures and what needs attention are on the first screen of a desk', async () => {
  const { page } = await portal.aPage({ viewport: { width: 1_440, height: 900 } })
  await portal.enter(page)
  for (const name of ['#air-heading', '#figures', '#attention-heading']) {
    const box = await page.locator(name).boundingBox()
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0), name).toBeLessThan(900)
  }
})

testInChromium('a chart shows a value that has no neighbours', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  const chart = page.getByRole('figure', { name: 'Positions a minute, all devices' })
  const count = () => chart.locator('canvas').evaluate(countColoured)
  await expect.poll(count).toBeGreaterThan(0)
  // Each time again, because an update of the page shows what the server has.
  const countOf = async (values: (number | null)[]) => {
    const text = JSON.stringify({ times: [60, 120, 180], series: [{ label: 'Positions', values }], unit: '' })
    await page.locator('[data-series]').evaluate((table, series) => table.setAttribute('data-series', series), text)
    await page.evaluate(() => document.dispatchEvent(new Event('live')))
    return count()
  }

  await expect.poll(() => countOf([null, null, null])).toBe(0)
  await expect.poll(() => countOf([null, 5, null])).toBeGreaterThan(0)
})

/** Pixels of exactly the accent colour, which the lines have; those of the texts are blurred and grey. */
function countColoured(canvas: Element): number {
  const { width, height } = canvas as HTMLCanvasElement
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] }
  let count = 0
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === 0x0b && data[at + 1] === 0x5a && data[at + 2] === 0x94) count++
  }
  return count
}
