/** Pairs as a user would, with a browser; then starts the sensor again, which needs no pairing. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const folder = await mkdtemp(join(tmpdir(), 'headless-sensor-'))

const first = startSensor()
await pressPair((await first.line(/^waiting for Pair at /)).slice('waiting for Pair at '.length))
assert.equal(await first.line(/^paired as /), 'paired as urn:aa:device:demo:roof2')
await first.line(/^\d+ accepted$/)
await first.stop()

const second = startSensor()
await second.line(/^\d+ accepted$/)
await second.stop()
await rm(folder, { recursive: true })
console.log('ok')

function startSensor() {
  const child: ChildProcess = spawn(process.execPath, ['sensor.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, STATE: folder },
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => lines.push(line))
  return {
    /** Resolves with the first line that matches. */
    async line(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) return found
        await Promise.race([once(reader, 'line'), exited.then(() => assert.fail(`the sensor ended before ${pattern}`))])
      }
    },
    async stop() {
      child.kill('SIGTERM')
      assert.equal((await exited)[0], 0)
    },
  }
}

async function pressPair(address: string): Promise<void> {
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
  const approve = page.getByRole('button', { name: 'Approve' })
  const pair = page.getByRole('button', { name: 'Pair', exact: true }).first()
  await approve.or(pair).first().waitFor()
  if (await approve.isVisible()) await approve.click()
  await pair.click()
  await page.getByText('Paired', { exact: false }).first().waitFor()
  await browser.close()
}
