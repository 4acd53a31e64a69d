/** `SharedCounts` over partitions: each window is in the partition of its key. */
import type { SharedCounts } from '../../../ports/storage/shared-counts.ts'
import { partitionOf } from '../nodes/slots.ts'

export function createPartitionedCounts(partitions: SharedCounts[]): SharedCounts {
  return {
    async add(events) {
      const index = partitionOf(events.key, partitions.length)
      const counts = partitions[index]
      if (!counts) throw new RangeError(`The counts have no partition ${index}`)
      return counts.add(events)
    },
  }
}
