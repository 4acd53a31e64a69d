/** Keeps what the device's user may look at: the reports of the metric window, while the device's flag is on. */
import type { Clock } from '../ports/clock.ts'
import type { RecentReports } from '../ports/recent-reports.ts'
import type { Stage } from './stage.ts'

export interface KeepRecentOptions {
  recentReports: RecentReports
  clock: Clock
  metricWindowMs: number
  recentLimit: number
}

export function keepRecent({ recentReports, clock, metricWindowMs, recentLimit }: KeepRecentOptions): Stage {
  return {
    name: 'keep-recent',
    async run(reports) {
      const device = reports[0]?.device
      if (!device?.storePositionReports) return
      const entries = reports.map(({ seq, receivedAtMs, text, summary, tags }) => ({
        seq,
        receivedAtMs,
        report: text,
        positions: summary.positions,
        tags: [...tags],
      }))
      await recentReports.append(device.id, entries, { sinceMs: clock.now() - metricWindowMs, limit: recentLimit })
    },
  }
}
