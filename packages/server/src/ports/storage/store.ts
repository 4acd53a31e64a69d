/**
 * Small records that expire: codes, refresh families, sessions, pairing requests.
 * Values are JSON. An unreachable backend rejects with `unavailable`; it never reports "not found".
 */
export interface Store {
  get<T>(key: string): Promise<T | undefined>
  put<T>(key: string, value: T, ttlMs: number): Promise<void>
  /** Reads and removes the value in one step. Only one of several concurrent callers gets it. */
  take<T>(key: string): Promise<T | undefined>
  /**
   * Writes `next` only if the stored value still equals `expected`. `undefined` means that no value is expected.
   * False when another caller was first.
   */
  replace<T>(key: string, expected: T | undefined, next: T, ttlMs: number): Promise<boolean>
  /** True when a value was deleted. */
  delete(key: string): Promise<boolean>
}

/**
 * Changes a value whatever others write at the same time, and returns the value before.
 * @param toNext Called again when another caller was first. Undefined leaves the value as it is.
 */
export async function changeStored<T>(
  store: Pick<Store, 'get' | 'replace'>,
  key: string,
  toNext: (current: T | undefined) => T | undefined,
  ttlMs: number,
): Promise<T | undefined> {
  for (;;) {
    const current = await store.get<T>(key)
    const next = toNext(current)
    if (next === undefined || (await store.replace<T>(key, current, next, ttlMs))) return current
  }
}

/** Every adapter calls this first: some backends treat a time to live of 0 or less as "no expiry". */
export function checkTtl(ttlMs: number): void {
  if (!(ttlMs > 0)) throw new RangeError(`"ttlMs" must be above 0, got ${ttlMs}`)
}
