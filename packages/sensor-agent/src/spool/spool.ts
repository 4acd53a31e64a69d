/**
 * Where positions wait between `report()` and the service's 202.
 * In: each position as the JSON it was given as. Out: the same text, oldest first.
 * Bounded: when it is full the oldest make room and are counted. See the contract suite for everything it promises.
 */

export interface SpoolEntry {
  /** Rises by at least one from entry to entry; never used twice. */
  readonly sequence: number
  /** The position, exactly as it will stand in the request. */
  readonly json: string
  /** Size of `json` in UTF-8. */
  readonly bytes: number
  /** When it was appended, ms since the Unix epoch. */
  readonly spooledAtMs: number
}

export interface SpoolCounters {
  entries: number
  /** Sum over the entries. */
  bytes: number
  /** Entries that were dropped to make room, ever. */
  dropped: number
  /** Sequence of the newest entry there ever was; 0 if none. */
  lastSequence: number
}

export interface Spool {
  /**
   * Takes all of them or none, in order; resolves after they are held as durably as the spool's name says.
   * `dropped` tells how many older ones had to go.
   *
   * @throws AgentError `position_too_large` when one of them alone is larger than the bound.
   */
  append(positions: readonly string[], nowMs: number): Promise<{ dropped: number }>
  /**
   * The oldest entries, at most `maxCount`, together at most `maxBytes` with one byte between neighbours; the first one
   * comes in any case. They stay in the spool.
   */
  peek(maxCount: number, maxBytes: number): Promise<readonly SpoolEntry[]>
  /** Forgets everything up to and including this sequence. Resolves with how many that were. */
  remove(throughSequence: number): Promise<number>
  counters(): SpoolCounters
}
