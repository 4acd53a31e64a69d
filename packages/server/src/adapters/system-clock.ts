/** The wall clock at the start of the process, carried on by the monotonic clock: it never jumps. */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

// A longer timer of Node fires at once.
const longestTimerMs = 2 ** 31 - 1

export function createSystemClock(): Clock {
  const startedAtMs = Date.now() - performance.now()
  return {
    now: () => Math.floor(startedAtMs + performance.now()),
    sleep: (ms, signal) =>
      // Aborting is the ordinary way to end a sleep, so it resolves.
      sleepFor(Math.min(Math.max(0, ms), longestTimerMs), undefined, { signal, ref: false }).catch(() => undefined),
  }
}
