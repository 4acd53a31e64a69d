/** `RecentReports` in the embedded database. */
import type { PositionReportMetric } from '@posrep/spec'
import { minuteOf, type RecentReports } from '../../ports/recent-reports.ts'
import type { SqliteEngine } from './engine.ts'
import type { MinuteRow } from './statements/recent-reports.ts'

export function createSqliteRecentReports({ engine }: { engine: SqliteEngine }): RecentReports {
  return {
    async append(deviceUrn, entries, bound) {
      const timed = entries.map((entry) => ({ ...entry, minute: minuteOf(entry.receivedAtMs) }))
      await engine.call('recent.append', deviceUrn, timed, bound)
    },
    async list(deviceUrn, { sinceMs, limit }) {
      const entries = await engine.call('recent.list', deviceUrn, sinceMs, limit + 1)
      return { entries: entries.slice(0, limit), truncated: entries.length > limit }
    },
    async metrics(deviceUrns, sinceMs) {
      const rows = await Promise.all(deviceUrns.map((urn) => engine.call('recent.minutes', urn, minuteOf(sinceMs))))
      return new Map(deviceUrns.map((urn, index) => [urn, (rows[index] ?? []).map(toMetric)]))
    },
    sweep: (sinceMs) => engine.call('recent.sweep', sinceMs, minuteOf(sinceMs)),
  }
}

function toMetric({ minute, ...counts }: MinuteRow): PositionReportMetric {
  return { windowStart: new Date(minute).toISOString(), ...counts }
}
