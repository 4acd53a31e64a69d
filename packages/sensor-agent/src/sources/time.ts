/**
 * Reads a time. In: s or ms since the Unix epoch, RFC 3339 text, or the standard's `{ "value", "format" }`. Out: ms.
 */
import { findFields, findNumber, toEpochMs } from './fields.ts'

/**
 * `undefined` for everything else, also for a number that is no time since the epoch: its unit and its start are not
 * known.
 */
export function toTimeMs(time: unknown): number | undefined {
  if (findNumber(time) !== undefined) return toEpochMs(time)
  if (typeof time !== 'string') {
    const value = findFields(time)?.value
    return value === undefined ? undefined : toTimeMs(value)
  }
  if (!/^\d{4}-\d{2}-\d{2}[T ]/i.test(time)) return undefined
  // A time without an offset is UTC.
  return toEpochMs(Date.parse(/z$|[+-]\d{2}:?\d{2}$/i.test(time) ? time : `${time}Z`))
}

const hourMs = 3_600_000

/**
 * The time that is so many seconds after a full hour and next to the reception; `undefined` when there is no such
 * number.
 */
export function fromSecondsAfterHour(seconds: unknown, receivedAtMs: number): number | undefined {
  const after = findNumber(seconds)
  if (after === undefined || after < 0 || after > 3_600) return undefined
  const afterMs = Math.round(after * 1_000)
  return Math.round((receivedAtMs - afterMs) / hourMs) * hourMs + afterMs
}
