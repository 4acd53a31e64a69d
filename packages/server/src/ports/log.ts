/**
 * Durable queues of entries, one per device: in order within a queue, at least once, independent of each other.
 * In: entries, which are durable when `append` resolves. Out: leases on the heads of queues, each ended by one `settle`.
 * `ReportLog` holds accepted reports on their way to the pipeline, `DeliveryLog` relay messages on their way out.
 */
import { type EntryText, isWellFormed } from './entry-text.ts'

export interface NewEntry {
  /** The device's URN. */
  queue: string
  /**
   * JSON text, stored as it is. A lone surrogate is refused: no backend can store it. Bytes may be kept without a copy; the
   * caller must not change them.
   */
  body: EntryText
  /**
   * What the consumer would make of `body`, when the caller has made it already. An adapter may return it with the lease, so
   * that a consumer in the same process need not parse again; the body is what counts. It stays in memory while the entry
   * waits, so it must be small. It must not be changed.
   */
  value?: unknown
}

export interface LogEntry {
  /** Rises within a queue, in the order of acceptance. Given once in a log; an entry that is put back gets a new one. */
  seq: number
  appendedAtMs: number
  body: string
  value?: unknown
}

export interface BuriedEntry extends LogEntry {
  queue: string
  reason: string
  buriedAtMs: number
}

export interface Lease {
  /** The device's URN. */
  queue: string
  /** Rises with every lease of the queue, so that a late holder cannot settle a newer lease. */
  fence: number
  /** From the head of the queue, in order. */
  entries: LogEntry[]
}

/** How a lease ends. Entries that are neither accepted nor buried stay at the head of their queue. */
export interface Settlement {
  accepted: number[]
  buried?: { seq: number; reason: string }[]
  /** The queue may not be leased before. Default: it may be leased again at once. */
  retryAtMs?: number
}

export interface LogDepth {
  waiting: number
  buried: number
  /** When the oldest waiting entry was appended; null when none waits. */
  oldestAppendedAtMs: number | null
}

export interface Log {
  /**
   * Resolves once all entries are durable: all of them or none.
   * @param bound A queue that grows beyond `perQueue`, 1 or more, loses its oldest entries, leased ones too.
   * @returns How many entries were dropped for the bound.
   * @throws ApiError `unavailable` when the backend does not take them; RangeError for a lone surrogate, or bytes that are
   * no UTF-8
   */
  append(entries: NewEntry[], bound?: { perQueue: number }): Promise<{ dropped: number }>
  /** Up to `queues` queues that are not leased and may be now, with up to `entries` entries each. Longest ready first. */
  lease(options: { queues: number; entries: number; leaseMs: number }): Promise<Lease[]>
  /**
   * False when the lease had run out and another holder has the queue, or the queue is gone: nothing was changed.
   * Entries that a bound has removed meanwhile are ignored.
   */
  settle(lease: Pick<Lease, 'queue' | 'fence'>, settlement: Settlement): Promise<boolean>
  /** Lets a queue be leased at once. For a leased queue, it voids the `retryAtMs` of the coming settlement. */
  wake(queue: string): Promise<void>
  /** Of the whole log, or of one queue. */
  depth(queue?: string): Promise<LogDepth>
  /** The waiting entries of a queue, oldest first, leased or not. */
  list(queue: string, options: { afterSeq?: number; limit: number }): Promise<LogEntry[]>
  /** The buried entries of one queue or of all, in the order of acceptance. */
  listBuried(options: { queue?: string; afterSeq?: number; limit: number }): Promise<BuriedEntry[]>
  /** Puts buried entries back at the tails of their queues, as if they were new. Returns how many of them were there. */
  unbury(seqs: number[]): Promise<number>
  /** Forgets the entries that were buried before. Returns how many. */
  forgetBuried(beforeMs: number): Promise<number>
  /** Calls `listener` when there may be something to lease; returns the way to stop. */
  watch(listener: () => void): () => void
}

export type ReportLog = Log
export type DeliveryLog = Log

/** Every adapter calls this first, so that all refuse alike and store nothing of a refused call. */
export function checkAppend(entries: NewEntry[], bound?: { perQueue: number }): void {
  for (const { queue, body } of entries) {
    if (queue.isWellFormed() && isWellFormed(body)) continue
    throw new RangeError(`An entry of "${queue.toWellFormed()}" has a lone surrogate, which no store keeps as it is`)
  }
  if (bound && !(Number.isInteger(bound.perQueue) && bound.perQueue >= 1)) {
    throw new RangeError(`"perQueue" must be a whole number above 0, got ${bound.perQueue}`)
  }
}
