/**
 * Durable queues of entries, one per device; in `AirLog`, one per account. Entries of a queue are delivered in order,
 * at least once. Queues are independent.
 * In: entries, which are durable when `append` resolves. Out: leases on the heads of queues; one `settle` ends each
 * lease. `ReportLog` contains accepted reports until the pipeline has processed them, `DeliveryLog` relay messages
 * until they are sent, `AirLog` what the air picture of an account has not stored yet.
 */
import { type EntryText, isWellFormed } from './entry-text.ts'

/** The logs of a storage: `ReportLog`, `DeliveryLog` and `AirLog`. */
export const logNames = ['report', 'delivery', 'air'] as const

export type LogName = (typeof logNames)[number]

export interface NewEntry {
  /** The device's URN; in `AirLog`, the id of the account. */
  queue: string
  /**
   * JSON text, stored unchanged. A lone surrogate is refused, because no backend can store it. An adapter may keep
   * bytes without a copy, so the caller must not change them.
   */
  body: EntryText
  /**
   * The parsed `body`, if the caller has it already. An adapter may return it with the lease, so that a consumer in the
   * same process need not parse again; the body is authoritative. It stays in memory while the entry waits, so it must
   * be small. It must not be changed.
   */
  value?: unknown
}

export interface LogEntry {
  /**
   * Increases within a queue, in the order of acceptance. Unique in the log; an entry that is unburied gets a new one.
   */
  seq: number
  appendedAtMs: number
  body: string
  /** The body as the log has it, if that has it as bytes: for a consumer that passes it on unchanged. */
  raw?: EntryText
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
 * A lease gets no further entry once its bodies have this length together, because a consumer may hold hundreds of
 * leases for a minute.
 */
export const fullLeaseSize = 2 * 1024 * 1024

/** How a lease ends. Entries that are neither accepted nor buried stay at the head of their queue. */
export interface Settlement {
  accepted: number[]
  buried?: { seq: number; reason: string }[]
  /** The queue cannot be leased before this time. Default: it can be leased again at once. */
  retryAtMs?: number
}

/**
 * Bodies can be large: one call for many entries reads only the beginnings. It reads them in portions of about
 * `listPageBytes`.
 */
export interface LogListOptions {
  afterSeq?: number
  limit: number
  /** About how many characters to read of each body. Default: all. */
  characters?: number
}

export const listPageBytes = 2 * 1024 * 1024

/**
 * Buried entries that one step unburies or deletes, so that other calls do not wait long. The entry that reaches the
 * bytes is the last one.
 */
export const buriedPortion = { entries: 100, bytes: 1024 * 1024 }

export interface LogDepth {
  waiting: number
  buried: number
  /** When the oldest waiting entry was appended; null when none waits. */
  oldestAppendedAtMs: number | null
}

/**
 * What a log keeps at most; each limit is 1 or more. A queue that gets an entry while a limit is exceeded loses its
 * oldest buried entries, then its oldest waiting entries, even if they are leased. It never loses its newest entry.
 */
export interface LogBound {
  /** Waiting entries of the queue. */
  perQueue?: number
  /** Bytes of the queue's bodies, of waiting and buried entries together. */
  bytesPerQueue?: number
  /** The same for all queues of the client, see `clientOf`. */
  bytesPerClient?: number
}

/** What a queue lost because of a bound. */
export interface Dropped {
  queue: string
  entries: number
}

export interface Log {
  /**
   * Resolves once all entries are durable. If it rejects, of each queue all entries are stored or none; in most
   * adapters, of all queues together.
   * @returns The number of entries that the queues of these entries lost because of a bound; and what other queues
   * lost, in a log that has a limit for all queues together.
   * @throws ApiError `unavailable` when the backend does not accept the entries; RangeError for a lone surrogate or for
   * bytes that are not UTF-8
   */
  append(entries: NewEntry[], bound?: LogBound): Promise<{ dropped: number; others?: Dropped[] }>
  /**
   * Leases up to `queues` queues that are ready, with up to `entries` entries each. The queue that was ready first
   * comes first. Returns fewer where the bodies are long: see `fullLeaseSize`; an adapter may also limit the bodies of
   * one call. The next call leases the other queues.
   */
  lease(options: { queues: number; entries: number; leaseMs: number }): Promise<Lease[]>
  /**
   * False, and nothing is changed, when the lease has expired and the queue was leased again, or the queue is gone.
   * Entries that a bound has dropped since the lease began are ignored.
   */
  settle(lease: Pick<Lease, 'queue' | 'fence'>, settlement: Settlement): Promise<boolean>
  /**
   * Ends the queue's cooldown: it can be leased at once. For a leased queue, the next settlement's `retryAtMs` is
   * ignored.
   */
  wake(queue: string): Promise<void>
  /** The depth of the whole log, or of one queue. */
  depth(queue?: string): Promise<LogDepth>
  /** The bytes of all bodies, of waiting and buried entries, in the queues of the same client. See `clientOf`. */
  bytesOfClient(queue: string): Promise<number>
  /** The waiting entries of a queue, oldest first, leased or not. */
  list(queue: string, options: LogListOptions): Promise<LogEntry[]>
  /** The buried entries of one queue or of all queues, by seq: those of a queue in the order of acceptance. */
  listBuried(options: LogListOptions & { queue?: string }): Promise<BuriedEntry[]>
  /** The seqs of the oldest buried entries of a queue. Reads no bodies. */
  oldestBuried(queue: string, limit: number): Promise<number[]>
  /**
   * Appends buried entries to their queues again, as if they were new. Returns the number of entries that were found.
   * It works in portions, see `buriedPortion`; after a failure, the entries of earlier portions are in their queues.
   */
  unbury(seqs: number[]): Promise<number>
  /** Deletes the entries that were buried before this time. Returns the number deleted. */
  forgetBuried(beforeMs: number): Promise<number>
  /**
   * Deletes the buried entries of a queue that were appended before this time, in portions. Returns the number deleted.
   */
  forgetBuriedOf(queue: string, appendedBeforeMs: number): Promise<number>
  /** Calls `listener` when there may be something to lease. Returns a function that ends this. */
  watch(listener: () => void): () => void
}

export type ReportLog = Log
export type DeliveryLog = Log
export type AirLog = Log

/**
 * The client that a queue belongs to. In: a device's URN. Out: the URN without the local ID,
 * `urn:aa:device:<client_part>`; a text with fewer parts is returned unchanged.
 */
export function clientOf(queue: string): string {
  return /^[^:]*:[^:]*:[^:]*:[^:]*/.exec(queue)?.[0] ?? queue
}

/** Every adapter calls this first, so that all adapters refuse the same calls, and store nothing of a refused call. */
export function checkAppend(entries: NewEntry[], bound: LogBound = {}): void {
  for (const { queue, body } of entries) {
    if (queue.isWellFormed() && isWellFormed(body)) continue
    throw new RangeError(
      `An entry of "${queue.toWellFormed()}" has a lone surrogate or invalid UTF-8, which no store can keep unchanged`,
    )
  }
  for (const [name, limit] of Object.entries(bound)) {
    if (Number.isInteger(limit) && limit >= 1) continue
    throw new RangeError(`"${name}" must be a whole number above 0, got ${limit}`)
  }
}
