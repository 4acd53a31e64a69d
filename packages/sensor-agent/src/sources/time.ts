/** Reads a time. In: s or ms since the Unix epoch, RFC 3339 text, or the standard's `{ "value", "format" }`. Out: ms. */
import { findFields, isNumber, toEpochMs } from './fields.ts'

export function toTimeMs(time: unknown): number | undefined {
  if (isNumber(time)) return toEpochMs(time)
  if (typeof time !== 'string') {
    const value = findFields(time)?.value
    return value === undefined ? undefined : toTimeMs(value)
  }
  // A time without an offset is UTC.
  const ms = Date.parse(/[zZ]$|[+-]\d{2}:?\d{2}$/.test(time) ? time : `${time}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
