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

const longestNumber = 40

/** Also a decimal number as text, as some receivers write it. */
export function findNumber(value: unknown): number | undefined {
  if (typeof value !== 'string') return isNumber(value) ? value : undefined
  const text = value.length <= longestNumber ? value.trim() : ''
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : undefined
  return isNumber(number) ? number : undefined
}

/** 0-360. */
export function findDegrees(value: unknown): number | undefined {
  const degrees = findNumber(value)
  return degrees !== undefined && degrees >= 0 && degrees <= 360 ? degrees : undefined
}

/** Text or a number as text in lower case; empty for everything else, because an object may refuse to become text. */
export function toWord(value: unknown): string {
  return typeof value === 'number' ? String(value) : (findText(value)?.toLowerCase() ?? '')
}

/** A boolean; also 0 and 1, and either as text. */
export function findFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = toWord(value)
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

/** No receiver writes a longer one, and the service takes none. */
const longestText = 200

/**
 * Up to the first NUL, with which programs in C pad a text; without control characters, trimmed; `undefined` when it is
 * empty or too long.
 */
export function findText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > longestText) return undefined
  const [text = ''] = value.split('\0', 1)
  const clean = text.replace(/[\p{Cc}\p{Cs}]/gu, '').trim()
  return clean === '' ? undefined : clean
}

/** Whether the member says something: it is there, and neither null nor blank. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== 'string' || findText(value) !== undefined)
}

/** The members that have a value, or `undefined` when none has. */
export function withValues(fields: Fields): Fields | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** The value of JSON text, with or without a byte order mark; `undefined` when it is not JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text))
  } catch {
    // The caller counts the line as unusable.
    return undefined
  }
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Before this no receiver of these formats existed: the number is no time since the epoch. */
export const earliestMs = Date.UTC(2000, 0, 1)
const latestMs = Date.UTC(9999, 11, 31)

/** A time in s or ms since the Unix epoch as ms; `undefined` before 2000 and after 9999. */
export function toEpochMs(time: unknown): number | undefined {
  const number = findNumber(time)
  if (number === undefined) return undefined
  // Seconds are below 1e11 until the year 5138.
  const ms = Math.round(number < 1e11 ? number * 1_000 : number)
  return ms >= earliestMs && ms <= latestMs ? ms : undefined
}

const shownNames = 8

/** Names the members that are there, for a message: `saw "lat_deg", "lon_deg"`. */
export function sawMembers(fields: Fields): string {
  const names = Object.keys(fields).map((name) => JSON.stringify(name.slice(0, 24)))
  if (names.length === 0) return 'it is empty'
  return `saw ${names.slice(0, shownNames).join(', ')}${names.length > shownNames ? ', …' : ''}`
}
