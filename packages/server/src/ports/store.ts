/**
 * Small records that expire: codes, refresh families, sessions, pairing requests.
 * Values are JSON. An unreachable backend rejects with `unavailable`; it never looks like "not found".
 */
export interface Store {
  get<T>(key: string): Promise<T | undefined>
  put<T>(key: string, value: T, ttlMs: number): Promise<void>
  /** Reads and removes in one step: of two concurrent callers exactly one gets the value. */
  take<T>(key: string): Promise<T | undefined>
  /**
   * Writes `next` only where the stored value still equals `expected`; `undefined` expects that there is none.
   * False when another caller was first.
   */
  replace<T>(key: string, expected: T | undefined, next: T, ttlMs: number): Promise<boolean>
  /** True when there was something to delete. */
  delete(key: string): Promise<boolean>
}

/** Every adapter calls this first: to some backends a time to live that is not positive means "for ever". */
export function checkTtl(ttlMs: number): void {
  if (!(ttlMs > 0)) throw new RangeError(`"ttlMs" must be above 0, got ${ttlMs}`)
}
