/**
 * Reads what errors tell of a response.
 * In: a response. Out: its status, the service's request id, and how long to wait.
 */
import type { ErrorDetails } from '../errors.ts'

export function toDetails({ status, headers }: Response, nowMs: number): ErrorDetails {
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: toRetryAfterMs(headers.get('retry-after'), nowMs),
  }
}

/** `Retry-After` is a number of seconds or a date, RFC 9110 § 10.2.3. */
function toRetryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (!value) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
