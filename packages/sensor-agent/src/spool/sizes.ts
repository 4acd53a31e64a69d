/** Sizes of positions. */
import { AgentError } from '../errors.ts'
import type { SpoolEntry } from './spool.ts'

/**
 * The UTF-8 bytes of each position. @throws AgentError `position_too_large` when one is larger than the spool's limit.
 */
export function sizesWithin(positions: readonly string[], maxBytes: number): number[] {
  const sizes = positions.map((json) => Buffer.byteLength(json))
  const tooLarge = sizes.find((size) => size > maxBytes)
  if (tooLarge === undefined) return sizes
  throw new AgentError(
    'position_too_large',
    `A position of ${tooLarge} bytes is larger than the spool's limit of ${maxBytes}; increase "maxBytes" of the spool`,
  )
}

export function sumOfBytes(entries: readonly SpoolEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0)
}
