/**
 * Announces revocations. Every process reads them within a second, so that the fast path does not read a store.
 * A revocation voids what was issued to its subject before its time. An unreachable backend rejects with `unavailable`.
 */
export interface Revocation {
  /** `family:<id>`, `token:<jti>`, `user:<id>`, `client:<id>`, `device:<urn>` or `consent:<userId>:<clientId>`. */
  subject: string
  /** Milliseconds since the epoch. */
  atMs: number
}

export interface RevocationFeed {
  /**
   * The revocation is durable when this resolves. It is kept for at least `ttlMs`, longer than any token that it voids
   * is valid.
   */
  announce(revocation: Revocation, ttlMs: number): Promise<void>
  /** The unexpired revocation of each subject that has one, with the latest time that was announced for it. */
  find(subjects: string[]): Promise<Revocation[]>
  /** The next unexpired revocations that were announced after `cursor`, in order. `''` is the beginning. */
  read(cursor: string): Promise<RevocationPage>
}

export interface RevocationPage {
  revocations: Revocation[]
  /** Of the next page. */
  cursor: string
  hasMore: boolean
}

/** Revocations of a page, at most. */
export const revocationPageSize = 1_000
