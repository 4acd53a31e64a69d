/**
 * Computes the wait before the next attempt.
 * In: the number of the attempt, and `Retry-After`. Out: milliseconds with full jitter, so that agents do not all retry
 * at once.
 */
import type { Random } from '../ports.ts'

/** Upper limit of the first wait. */
const baseMs = 1_000
/** Upper limit of every wait. */
const maxMs = 60_000

/** A random time between 0 and a limit that doubles with each attempt. `attempt` counts from 0. */
export function backoffMs(attempt: number, random: Random): number {
  return random() * Math.min(maxMs, baseMs * 2 ** attempt)
}

/** The time of a `Retry-After` header plus up to one second. */
export function withJitterMs(retryAfterMs: number, random: Random): number {
  return retryAfterMs + random() * 1_000
}

// A longer Retry-After is more likely an error of the response than intended by the service.
const maxRetryAfterMs = 10 * 60_000

/**
 * Milliseconds from now, at most ten minutes; `undefined` if the header is missing or invalid. RFC 9110 § 10.2.3. A
 * time is compared with the `Date` of the same answer, because this machine's clock may be wrong.
 */
export function toRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const header = headers.get('retry-after')
  if (header === null) return undefined
  const date = Date.parse(headers.get('date') ?? '')
  const text = header.trim()
  const afterMs = /^\d{1,10}$/.test(text)
    ? Number(text) * 1_000
    : Date.parse(text) - (Number.isNaN(date) ? nowMs : date)
  if (Number.isNaN(afterMs)) return undefined
  return Math.min(Math.max(0, afterMs), maxRetryAfterMs)
}
