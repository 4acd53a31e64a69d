/**
 * How a sensor says that it obtained a position. In: `position.source` of a report. Out: the same text if a track keeps
 * it.
 */
const kept = /^[\x20-\x7e]{1,32}$/

/**
 * Undefined for what is longer than any name of a source, or not printable: a track keeps one for each of its sensors.
 */
export function toPositionSource(source: string | undefined): string | undefined {
  return source !== undefined && kept.test(source) ? source : undefined
}
