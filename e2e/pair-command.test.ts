/** The command that the pairing page shows, run as it is shown. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchChromium, testInChromium } from './chromium.ts'
import { pilot, seed } from './seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from './server-process.ts'
import { aVisit, signIn } from './usable.ts'

const program = fileURLToPath(new URL('node_modules/.bin/posrep-agent', import.meta.url))

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

  const pair = promisify(execFile)(program, command, { cwd: location.folder })

  expect([npx, name]).toEqual(['npx', '@posrep/sensor-agent'])
  expect((await pair).stdout).toContain('roof1')
  await page.getByText('Paired', { exact: true }).waitFor()
})
