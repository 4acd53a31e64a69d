/** Computes the wait before a retry: `Retry-After`, or exponential backoff with full jitter from 1 s to 5 min. */

const firstMs = 1_000
const longestMs = 5 * 60_000

/** @param attempt 1 after the first failure. @param random 0 to below 1. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20))
  return Math.max(50, Math.round(ceiling * random))
}

/** @param header Seconds, or an HTTP date (RFC 9110 §10.2.3); capped at 5 min, so that a wrong value does not stop deliveries for years. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,10}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestMs) : undefined
}
