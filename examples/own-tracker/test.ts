/** Runs the tracker with Node, also with the oldest one if it is there, and looks at the map in Chromium. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { preview } from 'vite'

const { RUNTIMES } = process.env
const programs = [process.execPath, ...(RUNTIMES ? [join(RUNTIMES, 'node')] : [])]
for (const program of programs) {
  // Node 22.12 reads TypeScript with a flag.
  const output = execFileSync(program, ['--no-warnings', '--experimental-strip-types', 'track.ts'], {
    encoding: 'utf8',
  })
  const { tracks, alerts, readsb, geoJson, cursorOnTarget } = Object.assign(
    {},
    ...output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  assert.deepEqual(
    tracks.map(({ sensors }: { sensors: unknown[] }) => sensors.length),
    [2, 2],
    'one track per aircraft',
  )
  assert.equal(alerts[0]?.kind, 'conflict', 'they fly towards each other')
  assert.deepEqual(
    readsb.aircraft.map(({ hex }: { hex: string }) => hex),
    ['461f9c', '4b1805'],
  )
  assert.equal(geoJson.features.length, 2)
  assert.match(cursorOnTarget[0], /uid="example\.t1"/)
}

const app = await preview()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
const problems: string[] = []
page.on('console', (message) => problems.push(message.text()))
page.on('pageerror', (error) => problems.push(error.message))
await page.goto(app.resolvedUrls?.local[0] ?? '')
const map = page.getByRole('application', { name: 'Map of targets' })
await page.getByRole('status').getByText('FIN5LA, SWR12').waitFor()
await map.focus()
await page.keyboard.press('n')
const colours = await map.evaluate((canvas: HTMLCanvasElement) => {
  const { width, height } = canvas
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
  return new Set(Array.from({ length: pixels.length / 4 }, (_, at) => pixels.slice(at * 4, at * 4 + 3).join())).size
})
assert.ok(colours > 20, `the map is drawn, with ${colours} colours`)
await page.getByRole('button', { name: 'Stop' }).click()
await map.waitFor({ state: 'detached' })
assert.deepEqual(problems, [])

await browser.close()
await app.close()
console.log('ok')
