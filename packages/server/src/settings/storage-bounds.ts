/** How much is stored, per device and per client. In: settings. Out: the bounds of the stores. */
import type { LogBound } from '../ports/storage/log.ts'
import type { RecentBound } from '../ports/storage/recent-reports.ts'
import type { Settings } from './setting-table.ts'

export type BoundSetting = 'recentLimit' | 'recentMib' | 'relayBacklog' | 'relayBacklogMib' | 'clientMib'

type BoundSettings = Pick<Settings, BoundSetting>

const mebibyte = 1024 * 1024

export function toRecentBound({ recentLimit, recentMib, clientMib }: BoundSettings): Omit<RecentBound, 'sinceMs'> {
  return { limit: recentLimit, maxBytes: recentMib * mebibyte, maxBytesOfClient: clientMib * mebibyte }
}

export function toDeliveryBound({ relayBacklog, relayBacklogMib, clientMib }: BoundSettings): LogBound {
  return { perQueue: relayBacklog, bytesPerQueue: relayBacklogMib * mebibyte, bytesPerClient: clientMib * mebibyte }
}
