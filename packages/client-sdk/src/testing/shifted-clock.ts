/**
 * A clock that runs, and that a test can move ahead.
 * In: the system's clock. Out: a clock for the server and for the SDK.
 */
import { type Clock, systemClock } from '../ports.ts'

export interface ShiftedClock extends Clock {
  /** The server's clock has both; here they are the same. */
  wallTime(): number
  /** Resolves after `ms`, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Moves the time ahead by `ms`. Timers whose time has come run at once. */
  advance(ms: number): void
}

interface Timer {
  atMs: number
  task(): void
  stop(): void
}

export function createShiftedClock(): ShiftedClock {
  let aheadMs = 0
  const timers = new Set<Timer>()
  const now = () => systemClock.now() + aheadMs

  function arm(timer: Timer): void {
    timer.stop()
    timer.stop = systemClock.startTimer(Math.max(0, timer.atMs - now()), () => {
      timers.delete(timer)
      timer.task()
    })
  }

  function startTimer(ms: number, task: () => void): () => void {
    const timer: Timer = { atMs: now() + ms, task, stop() {} }
    timers.add(timer)
    arm(timer)
    return () => {
      timers.delete(timer)
      timer.stop()
    }
  }

  return {
    now,
    wallTime: now,
    startTimer,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const stop = startTimer(ms, resolve)
        const end = () => {
          stop()
          resolve()
        }
        signal?.addEventListener('abort', end, { once: true })
      })
    },
    advance(ms) {
      aheadMs += ms
      for (const timer of [...timers]) arm(timer)
    },
  }
}
