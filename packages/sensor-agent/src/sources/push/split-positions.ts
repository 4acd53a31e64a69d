/**
 * Splits what firmware sends into positions.
 * In: JSON text: one position, an array of them, a report with `positions`, or one position per line. Out: the JSON
 * text of each position, or an Error that says what is wrong with the text. Whether they are valid positions is checked
 * when they are stored.
 */
import { withoutByteOrderMark } from '../fields.ts'

export function splitPositions(given: string): string[] | Error {
  const text = withoutPadding(withoutByteOrderMark(given))
  const value = parse(text)
  if (!(value instanceof Error)) return toTexts(value, text)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const wrong = lines.findIndex((line) => parse(line) instanceof Error)
  if (lines.length > 1 && wrong === -1) return lines
  return lines.length > 1 ? new Error(`line ${wrong + 1} is not JSON`) : value
}

/** Some firmware pads a datagram with NUL. */
function withoutPadding(text: string): string {
  let end = text.length
  while (end > 0 && /[\s\0]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function toTexts(value: unknown, text: string): string[] | Error {
  const list = Array.isArray(value) ? value : findPositions(value)
  if (list === undefined) return [text]
  return list.length > 0 ? list.map((item) => JSON.stringify(item)) : new Error('there is no position in it')
}

function findPositions(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null || !('positions' in value)) return undefined
  return Array.isArray(value.positions) ? value.positions : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The text itself is not repeated: it may be long.
    return new Error('it is not JSON')
  }
}
