/**
 * Real time in tests. No other test file reads the clock: a machine may be as slow as it likes, so a test compares
 * counts or order, or moves a clock that is passed in.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A wait that takes longer hangs. It is shorter than the time of a test, so that the failure says what was waited for.
 */
export const hangsAfterMs = 150_000

/** Waits for a condition that depends on other processes or on sockets. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const hanging = AbortSignal.timeout(hangsAfterMs)
  while (!(await isTrue())) {
    if (hanging.aborted) throw new Error(`Still waiting after ${hangsAfterMs / 1_000} s: ${what}`)
    await sleep(20)
  }
}

/**
 * Whether the work is over before a timer of this process that starts first. Timers of one process fire in the order of
 * their times, also where each is late, so this is order: only for work that another timer of this process ends, and
 * well apart from its time.
 */
export async function isOverBefore(ms: number, work: () => Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  const timer = sleep(ms, false, { signal: over.signal })
  const ended = work().then(() => true)
  try {
    return await Promise.race([ended, timer])
  } finally {
    over.abort()
    await ended
  }
}

/** For what a test sends to a program with the system's clock: reports, certificates, tokens. */
export function currentTimeMs(): number {
  return Date.now()
}
