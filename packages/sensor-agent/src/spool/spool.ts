/**
 * Port for the storage of positions between `report()` and the service's 202.
 * In: positions as JSON. Out: the same text, in the order of their sequences.
 * A spool has a size limit: when it is full, positions are dropped and counted. The contract suite defines its
 * behaviour.
 */

export interface SpoolEntry {
  /** Increases by at least one from entry to entry; never reused. */
  readonly sequence: number
  /** The position as it will be sent. */
  readonly json: string
  /** Size of `json` in UTF-8 bytes. */
  readonly bytes: number
  /** When the position was appended, in ms since the Unix epoch, by the clock of that time. */
  readonly spooledAtMs: number
  /**
   * When the position was appended, by `Clock.elapsed()`. Undefined if the machine was started again since, or the
   * spool cannot tell.
   */
  readonly waitingSinceMs?: number | undefined
}

/** Why positions were dropped. */
export interface DropReasons {
  /** The spool is full. */
  full: number
  /** They had waited for longer than the spool keeps positions. */
  tooOld: number
  /** The disk cannot be written, and the memory is full. */
  diskFailing: number
}

export interface SpoolCounters {
  entries: number
  /** Sum over the entries. */
  bytes: number
  /** Entries that were dropped because of a limit, since the spool was created. */
  dropped: number
  /** Sequence of the newest entry ever appended; 0 if none. */
  lastSequence: number
}

export interface Spool {
  /**
   * Stores all positions or none, in order. Resolves after they are stored as durably as this spool promises.
   * `nowMs` and `elapsedMs` are the times of `Clock`. `dropped` is the number of entries that were dropped since the
   * last call; without `reasons`, the spool was full.
   *
   * @throws AgentError `position_too_large` when a single position is larger than the limit.
   */
  append(
    positions: readonly string[],
    nowMs: number,
    elapsedMs?: number,
  ): Promise<{ dropped: number; reasons?: DropReasons }>
  /**
   * Returns the oldest entries after a sequence (default 0: the oldest of all) without removing them: at most
   * `maxCount`, together at most `maxBytes` with one byte between two entries. The first entry is always returned.
   */
  peek(maxCount: number, maxBytes: number, afterSequence?: number): Promise<readonly SpoolEntry[]>
  /** Removes the entries from one sequence to another, both included. Resolves with their number. */
  remove(fromSequence: number, throughSequence: number): Promise<number>
  counters(): SpoolCounters
  /** The agent calls it with `false` after a failed attempt, and with `true` after an accepted batch. */
  setOnline?(online: boolean): void
  /** Stores what is only in memory and releases the files. `Agent.close()` calls it. No other call may follow. */
  close?(): Promise<void>
}
