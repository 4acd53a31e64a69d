/**
 * The agent's ports: time, random numbers and the network. The system's clock is read only in this file; the default fetch is
 * network/system-fetch.ts.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. Never goes backwards within a process. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Sends a request. The agent sets `redirect: 'manual'` on every request. */
export type Fetch = (request: Request) => Promise<Response>

/** Returns a number from 0 to below 1, like `Math.random`. */
export type Random = () => number

// Node fires a timer with a longer delay at once.
const maxTimerMs = 2 ** 31 - 1
export interface TimeSources {
  /** Milliseconds since the Unix epoch. */
  wallTime(): number
  /** Milliseconds since any moment; never goes backwards, and may stop while the machine is suspended. */
  monotonicTime(): number
}

/**
 * Follows the wall clock forward: after a suspend, or when the time is set after the start, it is right again at once. When the wall
 * clock is set back, this clock goes on at its own time, because it never goes backwards.
 */
export function createClock({ wallTime, monotonicTime }: TimeSources): Clock {
  let offsetMs = wallTime() - monotonicTime()
  return {
    now() {
      const atMs = monotonicTime()
      offsetMs = Math.max(offsetMs, wallTime() - atMs)
      return Math.floor(offsetMs + atMs)
    },
    // The timer of node:timers/promises allocates an error for each abort, and most of the agent's sleeps are aborted.
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, Math.min(Math.max(0, ms), maxTimerMs))
        signal?.addEventListener('abort', wake)
      }),
  }
}

export const systemClock: Clock = createClock({ wallTime: () => Date.now(), monotonicTime: () => performance.now() })

export const systemRandom: Random = () => Math.random()
