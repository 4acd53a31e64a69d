/** A clock that moves only by `advance`, for tests. Sleepers are woken in the order of their times. */
import type { Clock } from '../ports/clock.ts'

export interface ManualClock extends Clock {
  /** Advances the time and wakes the sleepers whose time has come, one after another. */
  advance(ms: number): Promise<void>
}

interface Sleeper {
  atMs: number
  wake(): void
}

export function createManualClock(startMs = Date.UTC(2026, 0, 7, 6, 0, 0)): ManualClock {
  let nowMs = startMs
  let sleepers: Sleeper[] = []

  return {
    now: () => nowMs,
    wallTime: () => nowMs,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const sleeper: Sleeper = { atMs: nowMs + Math.max(0, ms), wake: resolve }
        const stop = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          resolve()
        }
        if (signal?.aborted) return stop()
        signal?.addEventListener('abort', stop, { once: true })
        sleepers.push(sleeper)
      })
    },
    async advance(ms) {
      const endMs = nowMs + ms
      for (;;) {
        await runCallbacks()
        const next = sleepers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
        if (!next) break
        sleepers = sleepers.filter((sleeper) => sleeper !== next)
        nowMs = Math.max(nowMs, next.atMs)
        next.wake()
      }
      nowMs = endMs
      await runCallbacks()
    },
  }
}

/** Lets the callbacks of settled promises run. */
function runCallbacks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
