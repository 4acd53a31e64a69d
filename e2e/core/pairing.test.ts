/** The command that the pairing page shows, run as it is shown. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchChromium, testInChromium } from '../pages/chromium.ts'
import { aVisit, signIn } from '../pages/usable.ts'
import { pilot, seed } from '../parts/seed.ts'
import {
  aServerLocation,
  programOf,
  type ServerLocation,
  type ServerProcess,
  startServer,
} from '../parts/server-process.ts'

let location: ServerLocation
let server: ServerProcess
let browser: Browser | undefined

beforeAll(async () => {
  location = await aServerLocation(seed)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
})
afterAll(async () => {
  await browser?.close()
  await server.stop()
  await location.remove()
})

testInChromium('the command of the pairing page pairs the sensor', async () => {
  browser = await launchChromium()
  const { page } = await aVisit(browser, server.ready.uiOrigin)
  await page.goto(`${server.ready.uiOrigin}/`)
  await signIn(page, pilot)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(`${server.ready.uiOrigin}/pairing/start?clientUniqueId=roof1`)
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  const [npx, name, ...command] = ((await page.locator('pre.command').textContent()) ?? '').trim().split(' ')

  const pair = promisify(execFile)(programOf('posrep-agent'), command, { cwd: location.folder })

  expect([npx, name]).toEqual(['npx', '@posrep/sensor-agent'])
  expect((await pair).stdout).toContain('roof1')
  await page.getByText('Paired', { exact: true }).waitFor()
})
