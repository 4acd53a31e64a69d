/**
 * Port for the storage of positions between `report()` and the service's 202.
 * In: positions as JSON. Out: the same text, oldest first.
 * A spool has a size limit: when it is full, the oldest positions are dropped and counted. The contract suite defines its behaviour.
 */

export interface SpoolEntry {
  /** Increases by at least one from entry to entry; never reused. */
  readonly sequence: number
  /** The position as it will be sent. */
  readonly json: string
  /** Size of `json` in UTF-8 bytes. */
  readonly bytes: number
  /** When the position was appended, in ms since the Unix epoch. */
  readonly spooledAtMs: number
}

export interface SpoolCounters {
  entries: number
  /** Sum over the entries. */
  bytes: number
  /** Entries that were dropped to make room, since the spool was created. */
  dropped: number
  /** Sequence of the newest entry ever appended; 0 if none. */
  lastSequence: number
}

export interface Spool {
  /**
   * Stores all positions or none, in order. Resolves after they are stored as durably as this spool promises.
   * `dropped` is the number of entries dropped to make room.
   *
   * @throws AgentError `position_too_large` when a single position is larger than the limit.
   */
  append(positions: readonly string[], nowMs: number): Promise<{ dropped: number }>
  /**
   * Returns the oldest entries without removing them: at most `maxCount`, together at most `maxBytes` with one byte between two
   * entries. The first entry is always returned.
   */
  peek(maxCount: number, maxBytes: number): Promise<readonly SpoolEntry[]>
  /** Removes the entries up to and including this sequence. Resolves with their number. */
  remove(throughSequence: number): Promise<number>
  counters(): SpoolCounters
}
