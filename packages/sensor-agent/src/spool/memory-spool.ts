/** A spool in memory: its positions are lost when the process ends. */
import { checkNumber } from '../check-option.ts'
import { createBatch, createEntryWindow } from './entry-window.ts'
import { sizesWithin } from './sizes.ts'
import type { Spool } from './spool.ts'

export interface MemorySpoolOptions {
  /** Limit of all positions' JSON together, in UTF-8 bytes. At least 1. Default 64 MiB. */
  maxBytes?: number
}

export function memorySpool({ maxBytes = 64 * 1_024 * 1_024 }: MemorySpoolOptions = {}): Spool {
  checkNumber('maxBytes', maxBytes, 1)
  const window = createEntryWindow()
  let dropped = 0

  return {
    async append(positions, nowMs, elapsedMs) {
      const sizes = sizesWithin(positions, maxBytes)
      for (const [index, json] of positions.entries()) window.push(json, sizes[index] ?? 0, nowMs, elapsedMs)
      const before = dropped
      for (let oldest = window.oldest(); oldest && window.bytes() > maxBytes; oldest = window.oldest()) {
        window.remove(oldest.sequence)
        dropped += 1
      }
      return { dropped: dropped - before }
    },

    async peek(maxCount, maxBytes, afterSequence = 0) {
      const batch = createBatch(maxCount, maxBytes)
      const end = window.endSequence()
      for (let sequence = Math.max(afterSequence + 1, window.firstSequence()); sequence < end; sequence += 1) {
        const entry = window.at(sequence)
        if (entry && !batch.add(entry)) break
      }
      return batch.entries
    },

    async remove(fromSequence, throughSequence) {
      const before = window.entries()
      const through = Math.min(throughSequence, window.endSequence() - 1)
      for (let sequence = Math.max(fromSequence, window.firstSequence()); sequence <= through; sequence += 1) {
        window.remove(sequence)
      }
      return before - window.entries()
    },

    counters: () => ({
      entries: window.entries(),
      bytes: window.bytes(),
      dropped,
      lastSequence: window.endSequence() - 1,
    }),
  }
}
