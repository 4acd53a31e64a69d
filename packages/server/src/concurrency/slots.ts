/**
 * Limits what is in progress at the same time, per key.
 * In: keys, each with its limit. Out: a slot of each key, or the first key that has no free slot.
 */
export interface Slots {
  /** Takes one slot of each key, or none at all. Key: what is limited. Value: its limit. */
  acquire(limits: Record<string, number>): AcquiredSlots
}

/** Call `release` once. */
export type AcquiredSlots = { kind: 'slots'; release(): void } | { kind: 'full'; key: string }

export function createSlots(): Slots {
  /** Key: what is limited. Value: the number of slots in use. */
  const inUse = new Map<string, number>()

  function release(key: string): void {
    const left = (inUse.get(key) ?? 1) - 1
    if (left === 0) inUse.delete(key)
    else inUse.set(key, left)
  }

  return {
    acquire(limits) {
      const keys = Object.keys(limits)
      const full = keys.find((key) => (inUse.get(key) ?? 0) >= (limits[key] ?? 0))
      if (full !== undefined) return { kind: 'full', key: full }
      for (const key of keys) inUse.set(key, (inUse.get(key) ?? 0) + 1)
      return { kind: 'slots', release: () => keys.forEach(release) }
    },
  }
}
