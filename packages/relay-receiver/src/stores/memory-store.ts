/**
 * Remembers message IDs in this process; a restart forgets them.
 * In: IDs. Out: whether an ID is among the newest `capacity` ones.
 */
import type { DeduplicationStore } from './deduplication-store.ts'

export interface MemoryStoreOptions {
  /** How many IDs are remembered; beyond it the oldest is forgotten. At least 1. Default 10_000. */
  capacity?: number
}

export function memoryStore({ capacity = 10_000 }: MemoryStoreOptions = {}): DeduplicationStore {
  if (!(Number.isSafeInteger(capacity) && capacity >= 1)) {
    throw new RangeError(`"capacity" must be a whole number of at least 1, got ${capacity}`)
  }
  const ids = new Set<string>()

  return {
    has: async (id) => ids.has(id),
    async add(id) {
      ids.add(id)
      const [oldest] = ids
      if (ids.size > capacity && oldest !== undefined) ids.delete(oldest)
    },
  }
}
