/** Two users sign in to the app, each in a browser of their own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const address = 'http://localhost:3000/'
const app = spawn(process.execPath, ['web-app.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
process.once('exit', () => app.kill())
await once(app.stdout, 'data')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

const pilot = await aBrowser()
await signIn(pilot, 'Sign in', { email: 'pilot@example.com', password: 'correct horse 42' })
await pilot.getByRole('row', { name: 'urn:aa:device:demo:roof1' }).waitFor()

const stranger = await aBrowser()
await signIn(stranger, 'Create account', { email: 'stranger@example.com', password: 'another horse 43' })
await stranger.getByText('No devices yet').waitFor()

await pilot.reload()
const rows = await pilot.getByRole('row').allInnerTexts()
assert.deepEqual(
  rows.flatMap((row) => row.match(/urn:aa:device:demo:\w+/)?.[0] ?? []).toSorted(),
  ['mast2', 'radar1', 'radar2', 'roof1', 'roof2'].map((localId) => `urn:aa:device:demo:${localId}`),
  'each user sees their own devices',
)
const visit = (await pilot.context().cookies(address)).find(({ name }) => name === 'visit')
assert.equal(visit?.httpOnly, true)
assert.match(visit?.value ?? '', /^[0-9a-f-]{36}$/, 'the browser gets a random id, and no token')

await pilot.getByRole('button', { name: 'Sign out' }).click()
await pilot.getByRole('link', { name: 'Sign in' }).waitFor()
await stranger.reload()
await stranger.getByText('No devices yet').waitFor()

await browser.close()
app.kill()
console.log('ok')

async function aBrowser(): Promise<Page> {
  // The demo's certificate is of a CA of its own.
  const context: BrowserContext = await browser.newContext({ ignoreHTTPSErrors: true })
  return context.newPage()
}

async function signIn(page: Page, button: string, { email, password }: { email: string; password: string }) {
  await page.goto(address)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
}
