/**
 * `RecentReports`, `RecentDeliveries` and `OpenReportFeed` over partitions: those of a device are in the partition of
 * its URN. Limits of a client use the sums of `client-totals.ts`.
 */
import type { Clock } from '../../../ports/clock.ts'
import { clientOf } from '../../../ports/storage/log.ts'
import type { RecentDeliveries } from '../../../ports/storage/recent-deliveries.ts'
import type { RecentReports } from '../../../ports/storage/recent-reports.ts'
import type { OpenReportFeed } from '../../../ports/storage/report-feed.ts'
import type { RedisLink } from '../link/link.ts'
import { partitionOf } from '../nodes/slots.ts'
import { createRedisRecentReports, type RedisRecentReportsOptions } from '../recent/recent-reports.ts'
import { createClientTotals } from './client-totals.ts'

export interface PartitionedRecentReportsOptions extends Pick<RedisRecentReportsOptions, 'reportLog'> {
  /** Of the partitions, in their order. */
  links: RedisLink[]
  clock: Clock
}

export function createPartitionedRecentReports({
  links,
  clock,
  reportLog,
}: PartitionedRecentReportsOptions): RecentReports {
  const partitions = links.map((link, index) =>
    createRedisRecentReports({
      link,
      ...(reportLog && { reportLog }),
      onClientBytes: (client, bytes) => totals.record(index, client, bytes),
    }),
  )
  const totals = createClientTotals({ partitions: partitions.map(({ bytesOfClients }) => bytesOfClients), clock })
  const of = (device: string) => at(partitions, partitionOf(device, links.length))

  return {
    async append(device, entries, bound) {
      const index = partitionOf(device, links.length)
      const maxBytesOfClient = await totals.toLimit(clientOf(device), index, bound.maxBytesOfClient)
      await at(partitions, index).append(device, entries, { ...bound, maxBytesOfClient })
    },
    list: (device, options) => of(device).list(device, options),
    read: (device, reports) => of(device).read(device, reports),
    async metrics(devices, sinceMs) {
      const parts = Map.groupBy(devices, (device) => partitionOf(device, links.length))
      const found = await Promise.all([...parts].map(([index, part]) => at(partitions, index).metrics(part, sinceMs)))
      return new Map(found.flatMap((metrics) => [...metrics]))
    },
    async sweep(sinceMs) {
      await sweepAll(partitions, (partition) => partition.sweep(sinceMs))
      totals.invalidate()
    },
  }
}

export function createPartitionedRecentDeliveries(partitions: RecentDeliveries[]): RecentDeliveries {
  const indexOf = (device: string) => partitionOf(device, partitions.length)
  const of = (device: string) => at(partitions, indexOf(device))

  return {
    async keep(deliveries) {
      const parts = Map.groupBy(deliveries, ({ deviceUrn }) => indexOf(deviceUrn))
      await Promise.all([...parts].map(([index, part]) => at(partitions, index).keep(part)))
    },
    list: (device) => of(device).list(device),
    find: (device, id) => of(device).find(device, id),
    sweep: (beforeMs) => sweepAll(partitions, (partition) => partition.sweep(beforeMs)),
  }
}

export function createPartitionedReportFeed(partitions: OpenReportFeed[]): OpenReportFeed {
  return async (deviceUrn) => {
    if (deviceUrn !== undefined) return at(partitions, partitionOf(deviceUrn, partitions.length))(deviceUrn)
    const feeds = await Promise.all(partitions.map((open) => open()))
    /** All feeds in turn, so that one with many reports does not delay the others. */
    let turn = 0
    return {
      async next() {
        for (let asked = 0; asked < feeds.length; asked++) {
          const page = await at(feeds, turn++ % feeds.length).next()
          if (page.length > 0) return page
        }
        return []
      },
    }
  }
}

/** Sweeps every partition, also after one has failed. */
async function sweepAll<P>(partitions: P[], sweep: (partition: P) => Promise<void>): Promise<void> {
  const failed = (await Promise.allSettled(partitions.map(sweep))).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

function at<P>(partitions: P[], index: number): P {
  const partition = partitions[index]
  if (!partition) throw new RangeError(`There is no partition ${index}`)
  return partition
}
