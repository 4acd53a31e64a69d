/** A clock that moves only when told to: sleepers wake in the order of their times. */
import type { Clock } from '../../src/ports.ts'

export interface ManualClock extends Clock {
  /** Moves the time and lets everything that becomes due run, timer by timer. */
  advance(ms: number): Promise<void>
  /** How many sleep now. */
  sleepers(): number
}

interface Sleeper {
  atMs: number
  wake(): void
}

export function createManualClock(startMs = Date.UTC(2026, 10, 21, 12, 0, 0)): ManualClock {
  let nowMs = startMs
  let sleepers: Sleeper[] = []

  return {
    now: () => nowMs,
    sleepers: () => sleepers.length,
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

/** A clock on which every sleep is over at once, and exactly as long as it was asked for. */
export function createInstantClock(startMs = Date.UTC(2026, 10, 21, 12, 0, 0)): Clock & { slept: number[] } {
  let nowMs = startMs
  const slept: number[] = []
  return {
    slept,
    now: () => nowMs,
    async sleep(ms, signal) {
      if (signal?.aborted) return
      slept.push(ms)
      nowMs += Math.max(0, ms)
    },
  }
}

/** Lets promises that are already settled run their course, streams included. */
export async function breathe(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
