/**
 * The reports of the current metric window, per device. `recent` and `positionReportMetrics` are answered from them.
 * Bounded by age, by count and by size. A `seq` that is written twice is stored once.
 */
import type { PositionReportMetric } from '@posrep/spec'

export interface RecentEntry {
  /** The seq in the report log. It is unique among the reports of all devices. */
  seq: number
  receivedAtMs: number
  /** The report as submitted, JSON text. */
  report: string
  positions: number
  tags: string[]
}

export interface RecentBound {
  /** The start of the window. */
  sinceMs: number
  /** The maximum number of reports. */
  limit: number
  /** The maximum size of the reports together, in bytes of UTF-8. At least the size of one report. */
  maxBytes: number
  /** The same for the reports of all devices of the client together, see `clientOf` in `log.ts`. */
  maxBytesOfClient: number
}

export interface RecentPage {
  /** Newest first. */
  entries: RecentEntry[]
  /** Where the next page starts, when the window has more reports. */
  next?: string
  /** Whether the window had more reports, which were deleted because of the bound. */
  truncated: boolean
}

/**
 * A page ends with the report that reaches this size, so that one call neither blocks the store nor takes much memory.
 */
export const recentPageBytes = 1024 * 1024

export interface DeviceMetrics {
  /** One element per minute that had reports, oldest first. */
  minutes: PositionReportMetric[]
  /** When the newest report of the window was received. */
  lastReceivedAtMs: number | undefined
}

export interface RecentReports {
  /**
   * Keeps the newest entries within the bound, and always the newest one. A store may keep more than the bound of a
   * device, for example to delete entries together.
   */
  append(deviceUrn: string, entries: RecentEntry[], bound: RecentBound): Promise<void>
  /**
   * A page of the window, from the newest report or from `after`, the `next` of an earlier page. It has at most `limit`
   * entries. Entries beyond the device's bound may be listed, too; `devices/recent-window.ts` applies it.
   */
  list(deviceUrn: string, options: { sinceMs: number; limit: number; after?: string | undefined }): Promise<RecentPage>
  /**
   * The reports with these seqs of one device, in the same order; undefined for those that are gone. Each report may be
   * 1 MiB, so the caller asks for a few at a time.
   */
  read(deviceUrn: string, reports: Pick<RecentEntry, 'seq' | 'receivedAtMs'>[]): Promise<(string | undefined)[]>
  metrics(deviceUrns: string[], sinceMs: number): Promise<Map<string, DeviceMetrics>>
  /** Deletes reports that have left the window, also those of devices that no longer report. */
  sweep(sinceMs: number): Promise<void>
}

const minuteMs = 60_000

/** Returns the start of the minute. A report is counted in the minute in which it was received. */
export function minuteOf(atMs: number): number {
  return Math.floor(atMs / minuteMs) * minuteMs
}
