export type { Storage } from './composition/storage/storage-ports.ts'
export type { RegisterTest, Subject } from './contracts/contract.ts'
export { directoryContract } from './contracts/directory-contract.ts'
export { logContract } from './contracts/log/log-contract.ts'
export type { ManualClock } from './contracts/manual-clock.ts'
export { createManualClock } from './contracts/manual-clock.ts'
export { recentDeliveriesContract } from './contracts/recent-deliveries-contract.ts'
export { recentReportsContract } from './contracts/recent-reports-contract.ts'
export { revocationFeedContract } from './contracts/revocation-feed-contract.ts'
export { storeContract } from './contracts/store-contract.ts'
export type { Clock } from './ports/clock.ts'
export type { Directory, Kind, ListOptions, Records } from './ports/storage/directory.ts'
export type {
  DeliveryLog,
  Lease,
  Log,
  LogDepth,
  LogEntry,
  LogListOptions,
  ReportLog,
  Settlement,
} from './ports/storage/log.ts'
export type { DeliveryAttempt, RecentDeliveries, RecentDelivery } from './ports/storage/recent-deliveries.ts'
export { keptDeliveries } from './ports/storage/recent-deliveries.ts'
export type { RecentBound, RecentEntry, RecentPage, RecentReports } from './ports/storage/recent-reports.ts'
export type { Revocation, RevocationFeed } from './ports/storage/revocation-feed.ts'
export type { Store } from './ports/storage/store.ts'
