/** `Store` over partitions: each record is in the partition of its key. */
import type { Store } from '../../../ports/storage/store.ts'
import { partitionOf } from '../nodes/slots.ts'

export function createPartitionedStore(partitions: Store[]): Store {
  function of(key: string): Store {
    const index = partitionOf(key, partitions.length)
    const store = partitions[index]
    if (!store) throw new RangeError(`The store has no partition ${index}`)
    return store
  }

  return {
    get: (key) => of(key).get(key),
    put: (key, value, ttlMs) => of(key).put(key, value, ttlMs),
    take: (key) => of(key).take(key),
    replace: (key, expected, next, ttlMs) => of(key).replace(key, expected, next, ttlMs),
    delete: (key) => of(key).delete(key),
  }
}
