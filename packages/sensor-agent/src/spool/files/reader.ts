/**
 * Reads segments back.
 * In: a segment. Out: its entries that are not gone. The last segment that was read stays in memory. Entries that were
 * good when they were written, or at the start, and cannot be read now are given up and counted as damaged.
 */
import { sumOfBytes } from '../sizes.ts'
import type { SpoolEntry } from '../spool.ts'
import type { Contents } from './contents.ts'
import type { Segment } from './segment.ts'

export interface ReaderOptions {
  /** Whether the segment grows. It is then read again each time, and nothing of it is given up. */
  isWritten(segment: Segment): boolean
  /** False after it was dropped or thinned: its file is then deleted. */
  isCurrent(segment: Segment): boolean
  contents: Contents
}

export interface Reader {
  /** Some of the entries may have gone since the segment was read. */
  read(segment: Segment): Promise<readonly SpoolEntry[]>
  /** The segment was just written and has these entries. */
  keep(segment: Segment, entries: readonly SpoolEntry[]): void
}

// After so many failed reads the segment's entries are given up.
const maxFailures = 3

export function createReader({ isWritten, isCurrent, contents }: ReaderOptions): Reader {
  let last: { segment: Segment; entries: readonly SpoolEntry[] } | undefined
  const failures = new WeakMap<Segment, number>()

  return {
    async read(segment) {
      if (last?.segment === segment) return last.entries
      const isComplete = !isWritten(segment)
      try {
        const entries = await segment.read()
        failures.delete(segment)
        if (isComplete && isCurrent(segment)) {
          giveUpAllBut(entries, segment)
          last = { segment, entries }
        }
        return entries
      } catch (error) {
        if (!isCurrent(segment)) return []
        const count = (failures.get(segment) ?? 0) + 1
        failures.set(segment, count)
        if (count < maxFailures || !isComplete) throw error
        giveUpAllBut([], segment)
        return []
      }
    },
    keep(segment, entries) {
      last = { segment, entries }
    },
  }

  function giveUpAllBut(readable: readonly SpoolEntry[], segment: Segment): void {
    const left = readable.filter(({ sequence }) => !segment.isGone(sequence))
    const entries = segment.entries() - left.length
    if (entries === 0) return
    const bytes = segment.bytes() - sumOfBytes(left)
    // What is damaged in the file may still be good in memory.
    const isReadable = new Set(left.map(({ sequence }) => sequence))
    const inMemory = contents.inMemory(segment).filter(({ sequence }) => !isReadable.has(sequence))
    segment.keepOnly(left)
    contents.damage({ entries: entries - inMemory.length, bytes: bytes - sumOfBytes(inMemory) })
  }
}

/** The entries that are not gone, in the part of the segment from one sequence to another. */
export function leftOf(
  { isGone }: Segment,
  entries: readonly SpoolEntry[],
  from = 0,
  through = Number.POSITIVE_INFINITY,
): SpoolEntry[] {
  const start = entries.findIndex(({ sequence }) => sequence >= from)
  const end = entries.findLastIndex(({ sequence }) => sequence <= through) + 1
  return start < 0 ? [] : entries.slice(start, end).filter(({ sequence }) => !isGone(sequence))
}
