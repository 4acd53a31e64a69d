/** A spool that lives as long as the process: what it holds is lost when the process dies. */
import { checkNumber } from '../check-option.ts'
import { AgentError } from '../errors.ts'
import type { Spool, SpoolEntry } from './spool.ts'

export interface MemorySpoolOptions {
  /** Bound of the positions' JSON in UTF-8 bytes. At least 1. Default 64 MiB. */
  maxBytes?: number
}

// The head of the array is cut off only now and then: shifting entry by entry would copy the rest each time.
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
          `A position of ${tooLarge} bytes was reported, the spool holds ${maxBytes}; raise "maxBytes" of the spool`,
        )
      }

      for (const [at, json] of positions.entries()) {
        lastSequence += 1
        const entry = { sequence: lastSequence, json, bytes: sizes[at] ?? 0, spooledAtMs: nowMs }
        entries.push(entry)
        bytes += entry.bytes
      }
      const before = dropped
      while (bytes > maxBytes) {
        forgetOldest()
        dropped += 1
      }
      compact()
      return { dropped: dropped - before }
    },

    async peek(maxCount, maxBytes) {
      const batch: SpoolEntry[] = []
      let size = -1
      for (let at = first; at < entries.length && batch.length < maxCount; at += 1) {
        const entry = entries[at]
        if (!entry) break
        size += entry.bytes + 1
        if (size > maxBytes && batch.length > 0) break
        batch.push(entry)
      }
      return batch
    },

    async remove(throughSequence) {
      const before = entries.length - first
      while ((entries[first]?.sequence ?? Number.POSITIVE_INFINITY) <= throughSequence) forgetOldest()
      const removed = before - (entries.length - first)
      compact()
      return removed
    },

    counters: () => ({ entries: entries.length - first, bytes, dropped, lastSequence }),
  }

  function forgetOldest(): void {
    bytes -= entries[first]?.bytes ?? 0
    first += 1
  }

  function compact(): void {
    if (first < compactAfter && first < entries.length) return
    entries = entries.slice(first)
    first = 0
  }
}
