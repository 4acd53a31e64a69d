/**
 * How long to wait before the next attempt.
 * In: which attempt, and what the service said. Out: milliseconds; full jitter, so that a thousand agents do not come back together.
 */
import type { Random } from './ports.ts'

export interface BackoffOptions {
  /** Upper limit of the first wait, in ms. Default 1_000. */
  baseMs?: number
  /** Upper limit of every wait, in ms. Default 60_000. */
  maxMs?: number
}

/** Full jitter: anything between 0 and the limit, which doubles with each attempt. `attempt` counts from 0. */
export function backoffMs(
  attempt: number,
  random: Random,
  { baseMs = 1_000, maxMs = 60_000 }: BackoffOptions = {},
): number {
  return random() * Math.min(maxMs, baseMs * 2 ** attempt)
}

/** After a `Retry-After` that is long enough to count: what was asked for, and up to a second more. */
export function obeyedMs(retryAfterMs: number, random: Random): number {
  return retryAfterMs + random() * 1_000
}

// A day of silence is more likely a mistake of the answer than a wish of the service.
const longestRetryAfterMs = 10 * 60_000

/** Milliseconds from now, at most ten minutes; `undefined` if the header is absent or makes no sense. RFC 9110 § 10.2.3. */
export function toRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  const afterMs = /^\d{1,10}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs
  if (Number.isNaN(afterMs)) return undefined
  return Math.min(Math.max(0, afterMs), longestRetryAfterMs)
}
