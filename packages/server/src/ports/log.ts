/**
 * Durable lines of entries, one line per device: in order within a line, at least once, independent across lines.
 * In: entries, which are durable when `append` resolves. Out: leases on the heads of lines, each ended by one `settle`.
 * `ReportLog` holds accepted reports on their way to the pipeline, `DeliveryLog` relay messages on their way out.
 */
export interface LogEntry {
  /** Grows within a line; the order of acceptance. */
  seq: number
  appendedAtMs: number
  /** JSON text, kept as it was given. */
  body: string
}

export interface Lease {
  /** The device's URN. */
  line: string
  /** Rises with every lease of the line, so that a late holder cannot settle what another holds now. */
  fence: number
  /** From the head of the line, in order. */
  entries: LogEntry[]
}

/** How a lease ends. Entries that are neither accepted nor buried stay at the head of their line. */
export interface Settlement {
  accepted: number[]
  buried?: { seq: number; reason: string }[]
  /** The line rests until then. Default: it may be leased again at once. */
  holdUntilMs?: number
}

export interface LogDepth {
  waiting: number
  buried: number
  /** Of the oldest waiting entry; null when none waits. */
  oldestAppendedAtMs: number | null
}

export interface Log {
  /** Resolves once all entries are durable. */
  append(entries: { line: string; body: string }[]): Promise<void>
  /** Up to `lines` lines that nobody holds and that do not rest, with up to `entries` entries each. */
  lease(options: { lines: number; entries: number; leaseMs: number }): Promise<Lease[]>
  /** False when the lease had run out and another holder has the line: nothing was changed. */
  settle(lease: Pick<Lease, 'line' | 'fence'>, settlement: Settlement): Promise<boolean>
  /** Lets a resting line be leased at once; of a held line, it voids the rest that its holder is going to ask for. */
  wake(line: string): Promise<void>
  depth(): Promise<LogDepth>
  /** Calls `listener` when there may be something to lease; returns the way to stop. */
  watch(listener: () => void): () => void
}

export type ReportLog = Log
export type DeliveryLog = Log
