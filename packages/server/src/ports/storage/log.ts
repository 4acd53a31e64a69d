/**
 * Durable queues of entries, one per device. Entries of a queue are delivered in order, at least once. Queues are independent.
 * In: entries, which are durable when `append` resolves. Out: leases on the heads of queues; one `settle` ends each lease.
 * `ReportLog` contains accepted reports until the pipeline has processed them, `DeliveryLog` relay messages until they are sent.
 */
import { type EntryText, isWellFormed } from './entry-text.ts'

export interface NewEntry {
  /** The device's URN. */
  queue: string
  /**
   * JSON text, stored unchanged. A lone surrogate is refused, because no backend can store it. An adapter may keep bytes
   * without a copy, so the caller must not change them.
   */
  body: EntryText
  /**
   * The parsed `body`, if the caller has it already. An adapter may return it with the lease, so that a consumer in the same
   * process need not parse again; the body is authoritative. It stays in memory while the entry waits, so it must be small.
   * It must not be changed.
   */
  value?: unknown
}

export interface LogEntry {
  /** Increases within a queue, in the order of acceptance. Unique in the log; an entry that is unburied gets a new one. */
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
  /** Increases with every lease of the queue, so that a late holder cannot settle a newer lease. */
  fence: number
  /** From the head of the queue, in order. */
  entries: LogEntry[]
  /** The length of their bodies together. */
  size: number
}

/**
 * A lease gets no further entry once its bodies have this length together, because a consumer may hold hundreds of leases for
 * a minute.
 */
export const fullLeaseSize = 2 * 1024 * 1024

/** How a lease ends. Entries that are neither accepted nor buried stay at the head of their queue. */
export interface Settlement {
  accepted: number[]
  buried?: { seq: number; reason: string }[]
  /** The queue cannot be leased before this time. Default: it can be leased again at once. */
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
   * @param bound A queue that grows beyond `perQueue` (1 or more) loses its oldest entries, even if they are leased.
   * @returns The number of entries that were dropped because of the bound.
   * @throws ApiError `unavailable` when the backend does not accept the entries; RangeError for a lone surrogate or for
   * bytes that are not UTF-8
   */
  append(entries: NewEntry[], bound?: { perQueue: number }): Promise<{ dropped: number }>
  /**
   * Leases up to `queues` queues that are ready, with up to `entries` entries each. The queue that was ready first comes first.
   * Returns fewer where the bodies are long: see `fullLeaseSize`; an adapter may also limit the bodies of one call. The next
   * call leases the other queues.
   */
  lease(options: { queues: number; entries: number; leaseMs: number }): Promise<Lease[]>
  /**
   * False, and nothing is changed, when the lease has expired and the queue was leased again, or the queue is gone.
   * Entries that a bound has dropped since the lease began are ignored.
   */
  settle(lease: Pick<Lease, 'queue' | 'fence'>, settlement: Settlement): Promise<boolean>
  /** Ends the queue's cooldown: it can be leased at once. For a leased queue, the next settlement's `retryAtMs` is ignored. */
  wake(queue: string): Promise<void>
  /** The depth of the whole log, or of one queue. */
  depth(queue?: string): Promise<LogDepth>
  /** The waiting entries of a queue, oldest first, leased or not. */
  list(queue: string, options: { afterSeq?: number; limit: number }): Promise<LogEntry[]>
  /** The buried entries of one queue or of all queues, in the order of acceptance. */
  listBuried(options: { queue?: string; afterSeq?: number; limit: number }): Promise<BuriedEntry[]>
  /** Appends buried entries to their queues again, as if they were new. Returns the number of entries that were found. */
  unbury(seqs: number[]): Promise<number>
  /** Deletes the entries that were buried before this time. Returns the number deleted. */
  forgetBuried(beforeMs: number): Promise<number>
  /** Calls `listener` when there may be something to lease. Returns a function that ends this. */
  watch(listener: () => void): () => void
}

export type ReportLog = Log
export type DeliveryLog = Log

/** Every adapter calls this first, so that all adapters refuse the same calls, and store nothing of a refused call. */
export function checkAppend(entries: NewEntry[], bound?: { perQueue: number }): void {
  for (const { queue, body } of entries) {
    if (queue.isWellFormed() && isWellFormed(body)) continue
    throw new RangeError(
      `An entry of "${queue.toWellFormed()}" has a lone surrogate or invalid UTF-8, which no store can keep unchanged`,
    )
  }
  if (bound && !(Number.isInteger(bound.perQueue) && bound.perQueue >= 1)) {
    throw new RangeError(`"perQueue" must be a whole number above 0, got ${bound.perQueue}`)
  }
}
