/** The wall-clock time at the start of the process plus the monotonic time since then. It never jumps. */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

// Node.js fires a longer timer at once.
const longestTimerMs = 2 ** 31 - 1

export function createSystemClock(): Clock {
  const startedAtMs = Date.now() - performance.now()
  return {
    now: () => Math.floor(startedAtMs + performance.now()),
    sleep: (ms, signal) =>
      // An abort is a normal end of a sleep, so the promise resolves.
      sleepFor(Math.min(Math.max(0, ms), longestTimerMs), undefined, { signal, ref: false }).catch(() => undefined),
  }
}
