/** A wall clock of the server's own, by `faketime`; it is set with `setClock`, before the server starts and while it runs. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What faketime sets for its child; the offset is in a file, so that it can change. */
export function fakeTime(folder: string): Record<string, string> {
  const preload = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()
  return {
    LD_PRELOAD: preload,
    FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'),
    FAKETIME_NO_CACHE: '1',
    // Setting the clock does not touch the monotonic one; timers are by that.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/** Now, for ever: what `setClock` takes for a clock that stands still. */
export function frozenNow(): string {
  const now = new Date()
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

/** @param offset Seconds from the machine's own clock, such as `+3600`; or `frozenNow()`. */
export function setClock(folder: string, offset: string): Promise<void> {
  return writeFile(join(folder, 'offset'), offset)
}
