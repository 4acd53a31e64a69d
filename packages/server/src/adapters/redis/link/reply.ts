/** Converts script replies, which the Redis client types as `unknown`. */

export function toText(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined
}

export function toTexts(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

export function toNumbers(reply: unknown): number[] {
  return Array.isArray(reply) ? reply.map(Number) : []
}

/** Each row is again a reply that these functions can convert. */
export function toRows(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply : []
}
