/** A spool in memory: its positions are lost when the process ends. */
import { checkNumber } from '../check-option.ts'
import { AgentError } from '../errors.ts'
import type { Spool, SpoolEntry } from './spool.ts'

export interface MemorySpoolOptions {
  /** Limit of all positions' JSON together, in UTF-8 bytes. At least 1. Default 64 MiB. */
  maxBytes?: number
}

// Removed entries are cut off in blocks, because Array.shift() would copy the remaining entries each time.
const compactAfter = 1_024

export function memorySpool({ maxBytes = 64 * 1_024 * 1_024 }: MemorySpoolOptions = {}): Spool {
  checkNumber('maxBytes', maxBytes, 1)
  let entries: SpoolEntry[] = []
  let first = 0
  let bytes = 0
  let dropped = 0
  let lastSequence = 0

  return {
    async append(positions, nowMs) {
      const sizes = positions.map((json) => Buffer.byteLength(json))
      const tooLarge = sizes.find((size) => size > maxBytes)
      if (tooLarge !== undefined) {
        throw new AgentError(
          'position_too_large',
          `A position of ${tooLarge} bytes is larger than the spool's limit of ${maxBytes}; increase "maxBytes" of the spool`,
        )
      }

      for (const [index, json] of positions.entries()) {
        lastSequence += 1
        const entry = { sequence: lastSequence, json, bytes: sizes[index] ?? 0, spooledAtMs: nowMs }
        entries.push(entry)
        bytes += entry.bytes
      }
      const before = dropped
      while (bytes > maxBytes) {
        removeOldest()
        dropped += 1
      }
      compact()
      return { dropped: dropped - before }
    },

    async peek(maxCount, maxBytes) {
      const batch: SpoolEntry[] = []
      let size = -1
      for (let index = first; index < entries.length && batch.length < maxCount; index += 1) {
        const entry = entries[index]
        if (!entry) break
        size += entry.bytes + 1
        if (size > maxBytes && batch.length > 0) break
        batch.push(entry)
      }
      return batch
    },

    async remove(throughSequence) {
      const before = entries.length - first
      while ((entries[first]?.sequence ?? Number.POSITIVE_INFINITY) <= throughSequence) removeOldest()
      const removed = before - (entries.length - first)
      compact()
      return removed
    },

    counters: () => ({ entries: entries.length - first, bytes, dropped, lastSequence }),
  }

  function removeOldest(): void {
    bytes -= entries[first]?.bytes ?? 0
    first += 1
  }

  function compact(): void {
    if (first < compactAfter && first < entries.length) return
    entries = entries.slice(first)
    first = 0
  }
}
