/**
 * Announces revocations, which every process reads within a second, so that the fast path reads no store.
 * A revocation voids what was issued to its subject before its time. An unreachable backend rejects with `unavailable`.
 */
export interface Revocation {
  /** `family:<id>`, `token:<jti>`, `user:<id>`, `client:<id>`, `device:<urn>` or `consent:<userId>:<clientId>`. */
  subject: string
  /** Milliseconds since the epoch. */
  atMs: number
}

export interface RevocationFeed {
  /** Durable when it resolves; kept for at least `ttlMs`, which is longer than anything that it voids lives. */
  announce(revocation: Revocation, ttlMs: number): Promise<void>
  /** The live revocation of each subject that has one, with the latest time that was announced for it. */
  find(subjects: string[]): Promise<Revocation[]>
  /** All live revocations announced behind the cursor, in order, and the cursor behind them; `''` is the beginning. */
  read(cursor: string): Promise<{ revocations: Revocation[]; cursor: string }>
}
