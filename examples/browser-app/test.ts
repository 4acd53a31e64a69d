/** Uses the built app as a user would: signs in, looks at the aircraft, signs out. */
import assert from 'node:assert/strict'
import { chromium, type Page } from 'playwright-core'
import { preview } from 'vite'

const app = await preview()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
// The demo's certificate is of a CA of its own.
const page = await browser.newPage({ ignoreHTTPSErrors: true })
const problems: string[] = []
page.on('console', (message) => problems.push(message.text()))
page.on('pageerror', (error) => problems.push(error.message))

await page.goto('http://localhost:5173/')
await page.getByRole('button', { name: 'Sign in', exact: true }).click()
await signIn(page)

await page.getByRole('radio', { name: 'Roof, Helsinki-Vantaa recording' }).waitFor()
assert.equal(page.url(), 'http://localhost:5173/', 'the code is gone from the address bar')
await page
  .getByRole('row', { name: /pressure altitude/ })
  .first()
  .waitFor()
assert.match((await page.locator('#status').textContent()) ?? '', /^\d+ aircraft, last report \d+ s ago$/)

await page.getByText('Map of the air picture').click()
const map = page.getByRole('application', { name: 'Map of targets' })
await map.focus()
await page.waitForFunction(() => {
  const canvas = document.querySelector('canvas')
  const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
  const colours = new Set<string>()
  for (let at = 0; at < pixels.length; at += 4) colours.add(pixels.slice(at, at + 3).join())
  return colours.size > 40
})
await page.getByText('Map of the air picture').click()
await map.waitFor({ state: 'detached' })

await page.getByRole('radio', { name: 'Roof, spare' }).check()
await page.getByText('Waiting for reports').waitFor()

await page.reload()
await page.getByRole('button', { name: 'Sign out' }).click()
await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
assert.equal(await page.evaluate(() => localStorage.length), 0, 'the tokens are deleted')
assert.deepEqual(problems, [])

await browser.close()
await app.close()
console.log('ok')

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('pilot@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse 42')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
}
