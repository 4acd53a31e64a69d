/** What scripts answer, read as what they are known to answer. */

export function toText(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined
}

export function toTexts(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

export function toNumbers(reply: unknown): number[] {
  return Array.isArray(reply) ? reply.map(Number) : []
}

/** Of rows each of which is a reply itself. */
export function toRows(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply : []
}
