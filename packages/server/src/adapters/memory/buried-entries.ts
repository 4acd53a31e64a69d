/**
 * The buried entries of a log in memory.
 * In: entries that are buried or leave. Out: those of a queue or of all, in the order of acceptance, and their counts.
 */
import { bytesOf } from '../../ports/storage/entry-text.ts'
import type { BuriedEntry } from '../../ports/storage/log.ts'
import { type BuriedCounts, createBuriedCounts } from '../queues/buried-counts.ts'

export interface BuriedEntries {
  counts: Pick<BuriedCounts, 'buried' | 'bytes' | 'bytesOfClient'>
  add(entry: BuriedEntry): void
  /** Removes an entry and returns it. */
  take(seq: number): BuriedEntry | undefined
  /** The seqs of one queue, or of all queues. */
  seqs(queue: string | undefined): number[]
  get(seq: number): BuriedEntry | undefined
}

export function createBuriedEntries(): BuriedEntries {
  const entries = new Map<number, BuriedEntry>()
  const seqsOf = new Map<string, Set<number>>()
  const counts = createBuriedCounts()

  return {
    counts,
    add(entry) {
      const { seq, queue, body } = entry
      entries.set(seq, entry)
      const seqs = seqsOf.get(queue) ?? new Set()
      seqsOf.set(queue, seqs.add(seq))
      counts.add({ queue, buried: 1, bytes: bytesOf(body) })
    },
    take(seq) {
      const entry = entries.get(seq)
      if (!entry) return undefined
      const { queue, body } = entry
      entries.delete(seq)
      const seqs = seqsOf.get(queue)
      seqs?.delete(seq)
      if (seqs?.size === 0) seqsOf.delete(queue)
      counts.add({ queue, buried: -1, bytes: -bytesOf(body) })
      return entry
    },
    // A late entry may be buried after a later one, so the order of insertion is not always that of the seqs.
    seqs: (queue) => [...(queue === undefined ? entries.keys() : (seqsOf.get(queue) ?? []))].sort((a, b) => a - b),
    get: (seq) => entries.get(seq),
  }
}
