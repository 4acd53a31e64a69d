/**
 * Limits what is in progress at the same time, per key: tasks, connections, or bytes.
 * In: keys, each with its limit. Out: slots of each key, or the first key that has too few free slots.
 */
export interface Slots {
  /**
   * Takes slots of each key, or none at all.
   * @param limits Key: what is limited. Value: its limit.
   * @param count Slots of each key. Default 1.
   */
  acquire(limits: Record<string, number>, count?: number): AcquiredSlots
}

/** Call `release` once. */
export type AcquiredSlots = { kind: 'slots'; release(): void } | { kind: 'full'; key: string }

export function createSlots(): Slots {
  /** Key: what is limited. Value: the number of slots in use. */
  const inUse = new Map<string, number>()

  function release(keys: string[], count: number): void {
    for (const key of keys) {
      const left = (inUse.get(key) ?? count) - count
      if (left === 0) inUse.delete(key)
      else inUse.set(key, left)
    }
  }

  return {
    acquire(limits, count = 1) {
      const keys = Object.keys(limits)
      const full = keys.find((key) => (inUse.get(key) ?? 0) + count > (limits[key] ?? 0))
      if (full !== undefined) return { kind: 'full', key: full }
      for (const key of keys) inUse.set(key, (inUse.get(key) ?? 0) + count)
      return { kind: 'slots', release: () => release(keys, count) }
    },
  }
}
