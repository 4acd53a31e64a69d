/**
 * Spool entries in memory, in the order of their sequences. Entries can be removed anywhere; the others keep their
 * places.
 * In: positions as JSON. Out: entries by sequence. Sequences are contiguous; a removed entry leaves a gap until all
 * before it are gone.
 */
import type { SpoolEntry } from './spool.ts'

export interface EntryWindow {
  /** The first sequence that the window covers. */
  firstSequence(): number
  /** The sequence after the last one that the window covers. */
  endSequence(): number
  /** The entries that were not removed. */
  entries(): number
  /** Sum over these entries. */
  bytes(): number
  push(json: string, bytes: number, spooledAtMs: number, waitingSinceMs?: number): SpoolEntry
  /** Undefined if the entry was removed or is outside the window. */
  at(sequence: number): SpoolEntry | undefined
  remove(sequence: number): SpoolEntry | undefined
  /** The oldest entry that was not removed. */
  oldest(): SpoolEntry | undefined
}

// Leading gaps are cut off in blocks, because Array.shift() would copy the remaining entries each time.
const compactAfter = 1_024

export function createEntryWindow(startSequence = 1): EntryWindow {
  let slots: (SpoolEntry | undefined)[] = []
  let head = 0
  let first = startSequence
  let count = 0
  let bytes = 0

  return {
    firstSequence: () => first,
    endSequence: () => first + slots.length - head,
    entries: () => count,
    bytes: () => bytes,
    push(json, size, spooledAtMs, waitingSinceMs) {
      const entry = { sequence: first + slots.length - head, json, bytes: size, spooledAtMs, waitingSinceMs }
      slots.push(entry)
      count += 1
      bytes += size
      return entry
    },
    at,
    remove(sequence) {
      const entry = at(sequence)
      if (!entry) return undefined
      slots[head + sequence - first] = undefined
      count -= 1
      bytes -= entry.bytes
      trim()
      return entry
    },
    oldest: () => slots[head],
  }

  function at(sequence: number): SpoolEntry | undefined {
    return sequence < first ? undefined : slots[head + sequence - first]
  }

  function trim(): void {
    while (head < slots.length && slots[head] === undefined) {
      head += 1
      first += 1
    }
    if (head < compactAfter && head < slots.length) return
    slots = slots.slice(head)
    head = 0
  }
}

/** Collects entries up to `maxCount`, together at most `maxBytes` with one byte between two; the first always fits. */
export function createBatch(maxCount: number, maxBytes: number) {
  const entries: SpoolEntry[] = []
  let size = -1
  return {
    entries,
    /** False if the entry does not fit any more. */
    add(entry: SpoolEntry): boolean {
      if (entries.length >= maxCount) return false
      size += entry.bytes + 1
      if (size > maxBytes && entries.length > 0) return false
      entries.push(entry)
      return true
    },
  }
}
