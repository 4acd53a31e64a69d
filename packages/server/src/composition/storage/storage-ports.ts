/** What a storage consists of, and what is needed to open one. */
import type { DatabaseRole } from '../../adapters/sqlite/database/file.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Announcements } from '../../ports/storage/announcements.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import type { AirLog, DeliveryLog, ReportLog } from '../../ports/storage/log.ts'
import type { RecentDeliveries } from '../../ports/storage/recent-deliveries.ts'
import type { RecentReports } from '../../ports/storage/recent-reports.ts'
import type { RelayChanges } from '../../ports/storage/relay-changes.ts'
import type { OpenReportFeed } from '../../ports/storage/report-feed.ts'
import type { RevocationFeed } from '../../ports/storage/revocation-feed.ts'
import type { SharedCounts } from '../../ports/storage/shared-counts.ts'
import type { FindPartsAway } from '../../ports/storage/storage-parts.ts'
import type { Store } from '../../ports/storage/store.ts'
import type { Settings } from '../../settings/setting-table.ts'

export interface Storage {
  store: Store
  directory: Directory
  revocationFeed: RevocationFeed
  reportLog: ReportLog
  deliveryLog: DeliveryLog
  airLog: AirLog
  recentReports: RecentReports
  recentDeliveries: RecentDeliveries
  /** For storage that tools can open. */
  openReportFeed?: OpenReportFeed
  /** Announces changes of relays to other processes. Redis only. */
  relayChanges?: RelayChanges
  /** Sends the frames of air pictures to other processes. Redis only. */
  announcements?: Announcements
  /** Shares the counts of limits. Redis only. */
  sharedCounts?: SharedCounts
  /** Redis Cluster only. */
  findPartsAway?: FindPartsAway
  /** Calls `listener` after every commit; `calls`: the number of writes in it. SQLite only. */
  onCommit?(listener: (commit: { calls: number; seconds: number }) => void): void
  close(): Promise<void>
}

export interface OpenStorageOptions {
  settings: Pick<Settings, 'memory' | 'dataDir' | 'redis' | 'redisDurability'> &
    Partial<Pick<Settings, 'redisPartitions' | 'redisReplicas'>>
  clock: Clock
  /** A `tool` uses the storage of a server, which may be running; it creates no storage and leases no log entries. */
  role: DatabaseRole
  /** Logs when the connection to Redis is lost and restored. Default: no logging. */
  logger?: Pick<Logger, 'info' | 'warn'>
  /** After how many milliseconds without an answer Redis counts as away. Default 2,000; for a `tool` 10,000. */
  redisAnswerMs?: number | undefined
  /**
   * Called when the disk or the thread of the database failed: no more writes are possible, so the process must end.
   */
  onFatal?: ((error: Error) => void) | undefined
}
