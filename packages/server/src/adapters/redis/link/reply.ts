/** Converts the replies of scripts, whose types the client does not know. */

export function toText(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined
}

export function toTexts(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

export function toNumbers(reply: unknown): number[] {
  return Array.isArray(reply) ? reply.map(Number) : []
}

/** Each row is a reply itself. */
export function toRows(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply : []
}
