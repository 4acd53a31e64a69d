/** Tests of the operator's own map in a browser: tiles from another server, and a GeoJSON file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { launchChromium, testInChromium } from '../pages/chromium.ts'
import { aVisit } from '../pages/usable.ts'
import { anAirPortal, enterPortal } from './air-portal.ts'
import { aMovingPicture } from './moving-picture.ts'

const tilesOrigin = 'https://tiles.example.com'
const ownTiles = { tiles: `${tilesOrigin}/{z}/{x}/{y}.png` }
const [magenta, lime] = ['#ff00ff', '#00ff00']

let browser: Browser | undefined
afterAll(() => browser?.close())

testInChromium('own tiles are drawn, from their origin alone, which learns only the origin of the page', async () => {
  const asked: Route[] = []
  const { page, elsewhere, console } = await aMap(ownTiles, async (route) => {
    asked.push(route)
    await route.fulfill(aTile(magenta))
  })

  await expect.poll(() => shareOf(page, magenta)).toBeGreaterThan(0.95)
  expect(elsewhere.every((url) => url.startsWith(`${tilesOrigin}/`))).toBe(true)
  expect(new URL(asked[0]?.request().url() ?? '').pathname).toMatch(/^\/2\/[0-3]\/[0-3]\.png$/)
  expect(await asked[0]?.request().headerValue('referer')).toBe(`${new URL(page.url()).origin}/`)
  expect(console).toEqual([])
})

testInChromium('where the server of the tiles has no closer tile, a part of a wider one is drawn', async () => {
  const { page } = await aMap(ownTiles, (route) =>
    new URL(route.request().url()).pathname.startsWith('/1/')
      ? route.fulfill(aTile(lime))
      : route.fulfill({ status: 404 }),
  )

  await expect.poll(() => shareOf(page, lime)).toBeGreaterThan(0.95)
})

testInChromium.for([
  { name: 'wide', viewport: { width: 1_440, height: 900 } },
  { name: 'narrow', viewport: { width: 320, height: 640 } },
])('the notice of its owner is seen on the map, in a $name window', async ({ viewport }) => {
  const { page } = await aMap({ notice: '© Example <contributors>' })
  await page.setViewportSize(viewport)
  const notice = page.getByText('© Example <contributors>')

  expect(await notice.evaluate(isOnTop)).toBe(true)
})

testInChromium('an own GeoJSON file is drawn above the land, without a request to another origin', async () => {
  // Many parallels in the north. Most of their pixels are mixed with what is below, so few have their colour.
  const coordinates = Array.from({ length: 1_000 }, (_, index) => [
    [-179, 65 + index / 50],
    [179, 65 + index / 50],
  ])
  const basemap = await aFile('basemap.geojson', { type: 'MultiLineString', coordinates })
  const plain = await aMap({})
  const { page, elsewhere, console } = await aMap({ basemap })
  const quiet = await page.evaluate(() => getComputedStyle(document.querySelector('.help') ?? document.body).color)

  await expect.poll(() => shareOf(page, quiet)).toBeGreaterThan(0.01)
  expect(await shareOf(plain.page, quiet)).toBe(0)
  expect([elsewhere, console]).toEqual([[], []])
})

/** Runs in the page. */
function isOnTop(element: Element): boolean {
  element.scrollIntoView()
  const { left, top, width, height } = element.getBoundingClientRect()
  return document.elementFromPoint(left + width / 2, top + height / 2) === element
}

function aTile(colour: string) {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${colour}"/></svg>`
  return { contentType: 'image/svg+xml', body }
}

/** Returns the path of a JSON file. */
async function aFile(name: string, content: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-map-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), JSON.stringify(content))
  return join(folder, name)
}

/** The page of a picture without targets, which shows the world. */
async function aMap(map: Record<string, string>, answerTile: (route: Route) => unknown = () => {}) {
  const picture = aMovingPicture(0)
  const portal = await anAirPortal(picture, { 'air-map': await aFile('map.json', map) })
  onTestFinished(async () => {
    picture.stop()
    await portal.stop()
  })
  browser ??= await launchChromium()
  const visit = await aVisit(browser, portal.origin, { viewport: { width: 1_440, height: 900 } })
  await visit.page.context().route(`${tilesOrigin}/**`, (route) => answerTile(route))
  await enterPortal(visit.page, `${portal.origin}/air`)
  return visit
}

/** How much of a part of the map without panels has this colour. */
async function shareOf(page: Page, colour: string): Promise<number> {
  const picture = await page.screenshot({ clip: { x: 420, y: 100, width: 500, height: 120 } })
  return page.evaluate(
    async ([address = '', wanted = '']) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true })
      if (!context) return 0
      context.fillStyle = wanted
      context.fillRect(0, 0, 1, 1)
      const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      let found = 0
      for (let at = 0; at < data.length; at += 4) {
        if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) found++
      }
      return found / (data.length / 4)
    },
    [`data:image/png;base64,${picture.toString('base64')}`, colour],
  )
}
