/**
 * A separate wall clock for the server, with libfaketime. `setClock` sets it, before the server starts and while it
 * runs.
 */
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { currentTimeMs } from '../../testing/real-time.ts'

/**
 * The library that changes a process's clock, if it is installed. The command `faketime` is not used: it names a
 * semaphore after its process number, and fails where a killed process with that number left one.
 */
export function fakeTimeLibrary(): string | undefined {
  return globSync('/usr/{lib,local/lib}{,/*}/faketime/libfaketime.so.1')[0]
}

/** The environment variables of the library; the offset is in a file, so that it can be changed. */
export function fakeTime(folder: string): Record<string, string> {
  const library = fakeTimeLibrary()
  if (library === undefined) throw new Error('libfaketime is not installed')
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'),
    FAKETIME_NO_CACHE: '1',
    // The monotonic clock, which timers use, is not changed.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/** A value for `setClock` that stops the clock at the current time. */
export function frozenNow(): string {
  const now = new Date(currentTimeMs())
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

/** @param offset Seconds from the machine's own clock, such as `+3600`; or `frozenNow()`. */
export function setClock(folder: string, offset: string): Promise<void> {
  return writeFile(join(folder, 'offset'), offset)
}
