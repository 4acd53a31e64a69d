/**
 * Stores the reports of the metric window for the device's user, while the device's flag `storePositionReports` is on.
 */
import type { Clock } from '../../ports/clock.ts'
import type { RecentBound, RecentEntry, RecentReports } from '../../ports/storage/recent-reports.ts'
import type { PipelineReport, Stage } from '../stage.ts'

export interface KeepRecentOptions {
  recentReports: RecentReports
  clock: Clock
  metricWindowMs: number
  recentBound(deviceUrn: string): Omit<RecentBound, 'sinceMs'>
}

export function keepRecent(options: KeepRecentOptions): Stage {
  const { recentReports, clock, metricWindowMs, recentBound } = options
  return {
    name: 'keep-recent',
    async run(reports) {
      const device = reports[0]?.device
      if (!device?.storePositionReports) return
      const entries = reports.map((report) => new StoredReport(report))
      const sinceMs = clock.now() - metricWindowMs
      await recentReports.append(device.id, entries, { sinceMs, ...recentBound(device.id) })
    },
  }
}

class StoredReport implements RecentEntry {
  readonly seq: number
  readonly receivedAtMs: number
  readonly positions: number
  readonly tags: string[]
  readonly #report: PipelineReport

  constructor(report: PipelineReport) {
    this.seq = report.seq
    this.receivedAtMs = report.receivedAtMs
    this.positions = report.summary.positions
    this.tags = [...report.tags]
    this.#report = report
  }

  /** Only a store that cannot read the report from the log reads this. */
  get report(): string {
    return this.#report.text
  }
}
