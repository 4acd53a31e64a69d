/**
 * The agent's ports: time, random numbers and the network. Their defaults are defined only in this file.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'

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
const startedAtMs = Date.now() - performance.now()

/** Starts at the wall clock's time and advances with the monotonic clock, so it never jumps. */
export const systemClock: Clock = {
  now: () => Math.floor(startedAtMs + performance.now()),
  sleep: (ms, signal) =>
    // An aborted sleep resolves, as the port requires.
    sleepFor(Math.min(Math.max(0, ms), maxTimerMs), undefined, { signal }).catch(() => undefined),
}

export const systemFetch: Fetch = (request) => globalThis.fetch(request)

export const systemRandom: Random = () => Math.random()
