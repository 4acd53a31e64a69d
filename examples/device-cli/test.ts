/** Runs the tool as a user would: in a terminal, with a browser for the sign-in. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const urn = 'urn:aa:device:demo:roof1'
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

assert.deepEqual(await deviceCli('devices'), [
  `${urn}  Active  Roof, Helsinki-Vantaa recording`,
  'urn:aa:device:demo:roof2  no relay  Roof, spare',
])
assert.deepEqual(await deviceCli('relay', urn, 'off'), [`${urn}  Inactive`])
assert.deepEqual(await deviceCli('relay', urn, 'on'), [`${urn}  Active`])
await browser.close()
console.log('ok')

/** Runs a command, signs in when it prints an address, and resolves with its other lines. */
async function deviceCli(...args: string[]): Promise<string[]> {
  const child = spawn(process.execPath, ['device-cli.ts', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('https://')) await signIn(line)
    else if (!line.startsWith('Open ')) lines.push(line)
  }
  assert.equal((await exited)[0], 0)
  return lines
}

async function signIn(address: string): Promise<void> {
  // The demo's certificate is of a CA of its own.
  const page = await browser.newPage({ ignoreHTTPSErrors: true })
  await page.goto(address)
  await page.getByLabel('Email').fill('pilot@example.com')
  await page.getByLabel('Password').fill('correct horse 42')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('You are signed in').waitFor()
  await page.context().close()
}
