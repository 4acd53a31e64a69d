/** A separate wall clock for the server, with `faketime`. `setClock` sets it, before the server starts and while it runs. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The environment variables of faketime; the offset is in a file, so that it can be changed. */
export function fakeTime(folder: string): Record<string, string> {
  const preload = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()
  return {
    LD_PRELOAD: preload,
    FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'),
    FAKETIME_NO_CACHE: '1',
    // The monotonic clock, which timers use, is not changed.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/** A value for `setClock` that stops the clock at the current time. */
export function frozenNow(): string {
  const now = new Date()
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

/** @param offset Seconds from the machine's own clock, such as `+3600`; or `frozenNow()`. */
export function setClock(folder: string, offset: string): Promise<void> {
  return writeFile(join(folder, 'offset'), offset)
}
