/**
 * The reports of the current metric window, per device. `recent` and `positionReportMetrics` are answered from them.
 * Bounded by age and by count. A `seq` that is written twice is stored once.
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

export interface RecentReports {
  /** Keeps the `limit` newest entries and one more, from which `list` knows that the window was truncated. */
  append(deviceUrn: string, entries: RecentEntry[], bound: { sinceMs: number; limit: number }): Promise<void>
  /** Newest first. `truncated` is true when `limit` left out reports of the window. */
  list(
    deviceUrn: string,
    options: { sinceMs: number; limit: number },
  ): Promise<{ entries: RecentEntry[]; truncated: boolean }>
  /** One element per minute that had reports, oldest first. */
  metrics(deviceUrns: string[], sinceMs: number): Promise<Map<string, PositionReportMetric[]>>
  /** Deletes reports that have left the window, also those of devices that no longer report. */
  sweep(sinceMs: number): Promise<void>
}

const minuteMs = 60_000

/** Returns the start of the minute. A report is counted in the minute in which it was received. */
export function minuteOf(atMs: number): number {
  return Math.floor(atMs / minuteMs) * minuteMs
}
