/**
 * Writes a time as the document does.
 * In: ms since the epoch. Out: RFC 3339 in UTC, with milliseconds.
 */
export function toTimestamp(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
