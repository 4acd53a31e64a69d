/**
 * `pnpm picture`: takes the picture of README, which is the page of the air picture with the traffic of the demo.
 * In: the built packages and Chromium. Out: docs/pictures/air-light.jpg and air-dark.jpg, together under 200 kB.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { enterPortal } from '../e2e/air/air-portal.ts'
import { launchChromium } from '../e2e/pages/chromium.ts'
import { aServerLocation, startDemo } from '../e2e/parts/server-process.ts'

const folder = join(import.meta.dirname, '../docs/pictures')
const maxBytes = 200_000
/** Until the targets have trails. */
const settleMs = 60_000

const location = await aServerLocation()
const demo = await startDemo(location)
const browser = await launchChromium()
try {
  await demo.line(/relayed +[1-9]/)
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1_200, height: 640 } })
  const page = await context.newPage()
  await enterPortal(page, `https://localhost:${location.port}/air`)
  await page.waitForTimeout(settleMs)
  let bytes = 0
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(1_000)
    const path = join(folder, `air-${colorScheme}.jpg`)
    await page.screenshot({ path, type: 'jpeg', quality: 82 })
    bytes += statSync(path).size
  }
  if (bytes > maxBytes) throw new Error(`The pictures have ${bytes} bytes; README has room for ${maxBytes}`)
  process.stdout.write(`Wrote both pictures to ${folder}, ${bytes} bytes\n`)
} finally {
  await browser.close()
  await demo.stop()
  await location.remove()
}
