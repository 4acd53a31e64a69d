/** Starts the two sensors and the program, signs in as a user would, and waits for one target and one conflict. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const sensors = spawn(process.execPath, ['sensors.ts'], { stdio: ['ignore', 'inherit', 'inherit'] })
const program = spawn(process.execPath, ['air-picture.ts'], {
  // The demo has traffic of its own, outside this box.
  env: { ...process.env, BBOX: '25.5,60.8,26.3,61.0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const tooLate = setTimeout(() => program.kill('SIGKILL'), 120_000)

const lines: string[] = []
for await (const line of createInterface({ input: program.stdout })) {
  if (line.startsWith('https://')) await approve(line)
  else lines.push(line)
  if (line.startsWith('CONFLICT')) program.kill('SIGTERM')
}
clearTimeout(tooLate)
const ended = once(sensors, 'exit')
sensors.kill('SIGTERM')
const [code] = await ended
assert.equal(code, 0, 'the sensors end cleanly')

const one = lines.filter((line) => line.startsWith('ONE TARGET'))
const conflicts = lines.filter((line) => line.startsWith('CONFLICT'))
assert.deepEqual(one, ['ONE TARGET EXAMPLE1: radar2, roof2'], lines.join('\n'))
assert.equal(conflicts.length, 1, lines.join('\n'))
assert.match(conflicts[0] ?? '', /EXAMPLE1/)
console.log('ok')

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
