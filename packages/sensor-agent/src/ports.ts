/**
 * The agent's ports: time, random numbers and the network. The system's clock is read only in this file; the default
 * fetch is network/system-fetch.ts.
 */
import { uptime } from 'node:os'
import { type Clock, createSystemClock } from './system-clock.ts'

export type { Clock }

/** Sends a request. The agent sets `redirect: 'manual'` on every request. */
export type Fetch = (request: Request) => Promise<Response>

/** Returns a number from 0 to below 1, like `Math.random`. */
export type Random = () => number

export const systemClock: Clock = createSystemClock({
  wallTime: () => Date.now(),
  monotonicTime: () => performance.now(),
  // Elsewhere the time since the boot follows the wall clock, and the monotonic clock counts a suspend, too.
  uptime: () => (process.platform === 'linux' ? uptime() * 1_000 : performance.now()),
})

export const systemRandom: Random = () => Math.random()
