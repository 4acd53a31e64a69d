/**
 * What the agent needs of the world: time, chance and the network. Each is passed in; the defaults stand here and nowhere else.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'

/** The only source of time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. Never goes backwards within a process. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The only way to the network. Redirects are the request's own choice; the agent always says `manual`. */
export type Fetch = (request: Request) => Promise<Response>

/** A number from 0 to below 1, as `Math.random`. */
export type Random = () => number

// A longer timer of Node fires at once.
const longestTimerMs = 2 ** 31 - 1
const startedAtMs = Date.now() - performance.now()

/** The wall clock at the start of the process, carried on by the monotonic clock: it never jumps. */
export const systemClock: Clock = {
  now: () => Math.floor(startedAtMs + performance.now()),
  sleep: (ms, signal) =>
    // Aborting is the ordinary way to end a sleep, so it resolves.
    sleepFor(Math.min(Math.max(0, ms), longestTimerMs), undefined, { signal }).catch(() => undefined),
}

export const systemFetch: Fetch = (request) => globalThis.fetch(request)

export const systemRandom: Random = () => Math.random()
