/**
 * The system's Chromium, if installed.
 * Without it the tests that need it are skipped and one line says so; with TEST_REQUIRE_ALL they fail instead.
 */
import { type Browser, chromium } from 'playwright-core'
import { test } from 'vitest'
import { findChromium } from './find-chromium.ts'

const executablePath = findChromium()

if (!executablePath) process.stderr.write('Chromium is not installed: tests of the pages are skipped\n')

export const testInChromium = test.skipIf(!executablePath && process.env.TEST_REQUIRE_ALL !== '1')

/**
 * Accepts the certificate of any server. With `ignoreHTTPSErrors` alone, Chromium sends a request again after the error
 * of its certificate, and sometimes gives up on a busy machine.
 */
export function launchChromium(): Promise<Browser> {
  const { args, ...options } = chromiumOptions()
  return chromium.launch({ ...options, args: [...args, '--ignore-certificate-errors'] })
}

export function chromiumOptions(): { executablePath: string; args: string[] } {
  if (!executablePath)
    throw new Error('TEST_REQUIRE_ALL is set and there is no Chromium; install the package "chromium"')
  const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  return { executablePath, args: [...quiet, '--disable-component-update', '--disable-sync'] }
}
