/**
 * Durable queues of entries, one queue per device: in order within a queue, at least once, independent across queues.
 * In: entries, which are durable when `append` resolves. Out: leases on the heads of queues, each ended by one `settle`.
 * `ReportLog` holds accepted reports on their way to the pipeline, `DeliveryLog` relay messages on their way out.
 */
import { type EntryText, isWellFormed } from './entry-text.ts'

export interface NewEntry {
  /** The device's URN. */
  queue: string
  /**
   * JSON text, kept as it is given. A lone surrogate is refused: no backend keeps it as it is. Bytes may be kept without a
   * copy: nobody changes them.
   */
  body: EntryText
  /**
   * What the consumer would make of `body`, where the caller has made it already. An adapter may hand it back with the
   * lease, so that a consumer in the same process need not parse again; the body is what counts. It waits as long as the
   * entry does, so it is small. Nobody changes it.
   */
  value?: unknown
}

export interface LogEntry {
  /** Its place: grows within a queue, the order of acceptance. Given once in a log, also to what was put back. */
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
  /** Rises with every lease of the queue, so that a late holder cannot settle what another holds now. */
  fence: number
  /** From the head of the queue, in order. */
  entries: LogEntry[]
}

/** How a lease ends. Entries that are neither accepted nor buried stay at the head of their queue. */
export interface Settlement {
  accepted: number[]
  buried?: { seq: number; reason: string }[]
  /** The queue rests until then. Default: it may be leased again at once. */
  retryAtMs?: number
}

export interface LogDepth {
  waiting: number
  buried: number
  /** Of the oldest waiting entry; null when none waits. */
  oldestAppendedAtMs: number | null
}

export interface Log {
  /**
   * Resolves once all entries are durable: all of them or none.
   * @param bound A queue that grows beyond `perQueue`, 1 or more, loses its oldest entries, also of what is leased.
   * @returns How many entries were dropped for the bound.
   * @throws ApiError `unavailable` when the backend does not take them; RangeError for a lone surrogate, or bytes that are
   * no UTF-8
   */
  append(entries: NewEntry[], bound?: { perQueue: number }): Promise<{ dropped: number }>
  /** Up to `queues` queues that nobody holds and that do not rest, with up to `entries` entries each. Longest ready first. */
  lease(options: { queues: number; entries: number; leaseMs: number }): Promise<Lease[]>
  /**
   * False when the lease had run out and another holder has the queue, or the queue is gone: nothing was changed.
   * What has gone from the queue meanwhile, because of a bound, is passed over.
   */
  settle(lease: Pick<Lease, 'queue' | 'fence'>, settlement: Settlement): Promise<boolean>
  /** Lets a resting queue be leased at once; of a held queue, it voids the rest that its holder is going to ask for. */
  wake(queue: string): Promise<void>
  /** Of the whole log, or of one queue. */
  depth(queue?: string): Promise<LogDepth>
  /** What waits in a queue, oldest first, leased or not. */
  list(queue: string, options: { afterSeq?: number; limit: number }): Promise<LogEntry[]>
  /** What was buried, in the order of acceptance; of one queue or of all. */
  listBuried(options: { queue?: string; afterSeq?: number; limit: number }): Promise<BuriedEntry[]>
  /** Puts buried entries back at the tails of their queues, as if they came now. Returns how many of them were there. */
  unbury(seqs: number[]): Promise<number>
  /** Forgets what was buried before. Returns how many. */
  forgetBuried(beforeMs: number): Promise<number>
  /** Calls `listener` when there may be something to lease; returns the way to stop. */
  watch(listener: () => void): () => void
}

export type ReportLog = Log
export type DeliveryLog = Log

/** What every adapter asks first, so that all refuse alike and nothing of a refused call is stored. */
export function checkAppend(entries: NewEntry[], bound?: { perQueue: number }): void {
  for (const { queue, body } of entries) {
    if (queue.isWellFormed() && isWellFormed(body)) continue
    throw new RangeError(`An entry of "${queue.toWellFormed()}" has a lone surrogate, which no store keeps as it is`)
  }
  if (bound && !(Number.isInteger(bound.perQueue) && bound.perQueue >= 1)) {
    throw new RangeError(`"perQueue" must be a whole number above 0, got ${bound.perQueue}`)
  }
}
