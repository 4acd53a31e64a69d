/**
 * The reports of the current metric window, per device: what `recent` and `positionReportMetrics` answer from.
 * Bounded by age and by count; writing the same `seq` twice stores it once.
 */
import type { PositionReportMetric } from '@posrep/spec'

export interface RecentEntry {
  /** Of the report log: identifies the report, also among those of other devices. */
  seq: number
  receivedAtMs: number
  /** The report as submitted, JSON text. */
  report: string
  positions: number
  tags: string[]
}

export interface RecentReports {
  /** Keeps the `limit` newest and one more, by which `list` knows that the window was cut. */
  append(deviceUrn: string, entries: RecentEntry[], bound: { sinceMs: number; limit: number }): Promise<void>
  /** Newest first; `truncated` when the bound of the count left out reports of the window. */
  list(
    deviceUrn: string,
    options: { sinceMs: number; limit: number },
  ): Promise<{ entries: RecentEntry[]; truncated: boolean }>
  /** One element per minute that had reports, oldest first. */
  metrics(deviceUrns: string[], sinceMs: number): Promise<Map<string, PositionReportMetric[]>>
  /** Forgets reports that left the window, of devices that no longer report. */
  sweep(sinceMs: number): Promise<void>
}

const minuteMs = 60_000

/** The start of the minute that a metric counts. */
export function minuteOf(atMs: number): number {
  return Math.floor(atMs / minuteMs) * minuteMs
}
