/**
 * What was revoked, for every process to hear of within a second, so that the hot path reads no store.
 * A mark voids what was issued to its subject before its time. An unreachable backend rejects with `unavailable`.
 */
export interface RevocationMark {
  /** `family:<id>`, `token:<jti>`, `user:<id>`, `client:<id>`, `device:<urn>` or `consent:<userId>:<clientId>`. */
  subject: string
  /** Milliseconds since the epoch. */
  atMs: number
}

export interface RevocationFeed {
  /** Durable when it resolves; kept for at least `ttlMs`, which is longer than anything that it voids lives. */
  announce(mark: RevocationMark, ttlMs: number): Promise<void>
  /** The live mark of each subject that has one, with the latest time that was announced for it. */
  find(subjects: string[]): Promise<RevocationMark[]>
  /** All live marks announced behind the cursor, in order, and the cursor behind them; `''` is the beginning. */
  read(cursor: string): Promise<{ marks: RevocationMark[]; cursor: string }>
}
