/** A clock that only the test advances. Sleeps resolve in the order of their end. */
import type { Clock } from '../../src/ports.ts'

export interface ManualClock extends Clock {
  /** Advances the time; each sleep that ends resolves, and its continuation runs before the next one. */
  advance(ms: number): Promise<void>
  /** Sets the wall clock, as NTP does; nothing passes. */
  setWallClock(byMs: number): void
  /** The number of sleeps in progress. */
  sleepers(): number
}

interface Sleeper {
  atMs: number
  wake(): void
}

export function createManualClock(startMs = Date.UTC(2026, 10, 21, 12, 0, 0)): ManualClock {
  /** The time that passes; `offsetMs` is added to it to have the wall clock. */
  let nowMs = startMs
  let offsetMs = 0
  let sleepers: Sleeper[] = []

  return {
    now: () => nowMs + offsetMs,
    elapsed: () => nowMs,
    setBackMs: () => 0,
    setWallClock: (byMs) => {
      offsetMs += byMs
    },
    sleepers: () => sleepers.length,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const stop = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          resolve()
        }
        const wake = () => {
          // A signal that outlives many sleeps would keep all of them.
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        const sleeper: Sleeper = { atMs: nowMs + Math.max(0, ms), wake }
        signal?.addEventListener('abort', stop, { once: true })
        sleepers.push(sleeper)
      })
    },
    async advance(ms) {
      const endMs = nowMs + ms
      for (;;) {
        await breathe()
        const next = sleepers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
        if (!next) break
        sleepers = sleepers.filter((sleeper) => sleeper !== next)
        nowMs = Math.max(nowMs, next.atMs)
        next.wake()
      }
      nowMs = endMs
      await breathe()
    },
  }
}

/** A clock whose sleeps resolve at once and advance the time by their full length. */
export function createInstantClock(startMs = Date.UTC(2026, 10, 21, 12, 0, 0)): Clock & { slept: number[] } {
  let nowMs = startMs
  const slept: number[] = []
  return {
    slept,
    now: () => nowMs,
    elapsed: () => nowMs,
    setBackMs: () => 0,
    async sleep(ms, signal) {
      if (signal?.aborted) return
      slept.push(ms)
      nowMs += Math.max(0, ms)
    },
  }
}

/** Waits until the continuations of settled promises, including streams, have run. */
export async function breathe(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
