/** Reads members of JSON objects whose types are not known. Out: the value, or `undefined` when it has another type. */

export type Fields = Record<string, unknown>

export function findFields(value: unknown): Fields | undefined {
  // An object's members may have any value.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** Beyond 2^53 no receiver means a number, and conversions of units may overflow. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

export function findNumber(value: unknown): number | undefined {
  return isNumber(value) ? value : undefined
}

/** 0-360. */
export function findDegrees(value: unknown): number | undefined {
  return isNumber(value) && value >= 0 && value <= 360 ? value : undefined
}

/** Trimmed; `undefined` when it is empty. */
export function findText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The members that have a value, or `undefined` when none has. */
export function withValues(fields: Fields): Fields | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** The value of JSON text; `undefined` when it is not JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller counts the line as unusable.
    return undefined
  }
}

const latestMs = Date.UTC(9999, 11, 31)

/** A time in s or ms since the Unix epoch as ms; `undefined` before 1970 and after 9999. */
export function toEpochMs(time: unknown): number | undefined {
  if (!isNumber(time) || time < 0) return undefined
  // Seconds are below 1e11 until the year 5138.
  const ms = Math.round(time < 1e11 ? time * 1_000 : time)
  return ms <= latestMs ? ms : undefined
}
