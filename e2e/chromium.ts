/**
 * The system's Chromium, if installed.
 * Without it the tests that need it are skipped and one line says so; with TEST_REQUIRE_ALL they fail instead.
 */
import { accessSync, constants } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { test } from 'vitest'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(isExecutable)

if (!executablePath) process.stderr.write('Chromium is not installed: tests of the pages are skipped\n')

export const testInChromium = test.skipIf(!executablePath && process.env.TEST_REQUIRE_ALL !== '1')

export function launchChromium(): Promise<Browser> {
  if (!executablePath)
    throw new Error('TEST_REQUIRE_ALL is set and there is no Chromium; install the package "chromium"')
  const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  return chromium.launch({ executablePath, args: [...quiet, '--disable-component-update', '--disable-sync'] })
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not executable here: the next path is tried.
    return false
  }
}
