/** Computes the wait before a retry: `Retry-After`, or exponential backoff with full jitter from 1 s to 5 min. */

const firstMs = 1_000
const longestMs = 5 * 60_000

/** @param attempt 1 after the first failure. @param random 0 to below 1. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20))
  return Math.max(50, Math.round(ceiling * random))
}

/**
 * @param header Seconds, or an HTTP date (RFC 9110 §10.2.3); anything else is ignored. Capped at 5 min, so that a wrong
 * value does not stop deliveries for years.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : dateMs(text, nowMs) - nowMs
  return ms > 0 ? Math.min(ms, longestMs) : undefined
}

/** RFC 9110 §5.6.7: the three forms, all in UTC. */
const imfFixdate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const rfc850 = /^[A-Z][a-z]{5,8}, (\d\d-[A-Z][a-z]{2}-)(\d\d) (\d\d:\d\d:\d\d GMT)$/
const asctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/

/** NaN if it is none of them. */
function dateMs(text: string, nowMs: number): number {
  if (imfFixdate.test(text)) return Date.parse(text)
  const [, month, day, clock, year] = asctime.exec(text) ?? []
  if (year !== undefined) return Date.parse(`${day} ${month} ${year} ${clock} GMT`)
  const [, dayAndMonth, twoDigits, rest] = rfc850.exec(text) ?? []
  if (twoDigits === undefined) return Number.NaN
  // A year that seems to be more than 50 years ahead is the last one with these digits.
  const thisYear = new Date(nowMs).getUTCFullYear()
  const sameCentury = thisYear - (thisYear % 100) + Number(twoDigits)
  return Date.parse(`${dayAndMonth}${sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury} ${rest}`)
}
