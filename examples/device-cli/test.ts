/** Runs the tool as a user would: in a terminal, with a browser for the sign-in. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const urn = 'urn:aa:device:demo:roof1'
const folder = await mkdtemp(join(tmpdir(), 'device-cli-'))
const tokens = join(folder, 'tokens.json')

assert.deepEqual(await run('devices'), { code: 1, lines: ['You are not signed in: device-cli login'] })
assert.deepEqual(await run('login'), { code: 0, lines: ['You are signed in.'] })
assert.equal((await stat(tokens)).mode & 0o777, 0o600, 'only the user can read the tokens')
assert.deepEqual(await run('devices'), {
  code: 0,
  lines: [
    'urn:aa:device:demo:mast2  no relay  Mast, receives a part of it',
    'urn:aa:device:demo:radar1  no relay  Radar beside the airport, and a drone',
    'urn:aa:device:demo:radar2  no relay  Radar, spare',
    `${urn}  Active  Roof, Helsinki-Vantaa recording`,
    'urn:aa:device:demo:roof2  no relay  Roof, spare',
  ],
})
assert.deepEqual(await run('relay', urn, 'off'), { code: 0, lines: [`${urn}  Inactive`] })
assert.deepEqual(await run('relay', urn, 'on'), { code: 0, lines: [`${urn}  Active`] })
assert.equal((await run('relay', 'urn:aa:device:demo:nobody', 'on')).code, 1)
assert.equal((await run('relay', urn, 'sideways')).code, 2)
assert.deepEqual(await run('logout'), { code: 0, lines: [] })
assert.equal((await run('devices')).code, 1)

await rm(folder, { recursive: true })
console.log('ok')

/** Runs a command, and signs in when it prints an address. Resolves with its other lines. */
async function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const child = spawn(process.execPath, ['device-cli.ts', ...args], {
    env: { ...process.env, DEVICE_CLI_TOKENS: tokens },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('https://')) await approve(line)
    else if (!line.startsWith('Open ')) lines.push(line)
  }
  const [code] = await exited
  return { code, lines: [...lines, ...errors] }
}

async function approve(address: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  // The demo's certificate is of a CA of its own.
  const page = await browser.newPage({ ignoreHTTPSErrors: true })
  await page.goto(address)
  await page.getByLabel('Email').fill('pilot@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse 42')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('You are signed in').waitFor()
  await browser.close()
}
