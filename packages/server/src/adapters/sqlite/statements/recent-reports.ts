/** What the worker does for `RecentReports`; each call is one step of a transaction. */
import type { RecentEntry } from '../../../ports/recent-reports.ts'
import type { Database } from '../database.ts'

/** The count is trimmed once in so many reports of a device in a minute; `list` never shows more than it is asked for. */
const trimEvery = 64

export interface MinuteRow {
  minute: number
  reports: number
  positions: number
}

export function recentStatements({ sql }: Database) {
  function trim(device: string, limit: number): void {
    sql(
      'DELETE FROM recent WHERE device = ? AND seq <= (SELECT seq FROM recent WHERE device = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)',
    ).run(device, device, limit + 1)
  }
  return {
    'recent.append'(
      device: string,
      entries: (RecentEntry & { minute: number })[],
      { sinceMs, limit }: { sinceMs: number; limit: number },
    ): void {
      for (const { seq, receivedAtMs, report, positions, tags, minute } of entries) {
        const { changes } = sql(
          'INSERT OR IGNORE INTO recent (device, seq, received_at, report, positions, tags) VALUES (?, ?, ?, ?, ?, ?)',
        ).run(device, seq, receivedAtMs, report, positions, JSON.stringify(tags))
        if (changes === 0) continue
        const counted = sql(
          'INSERT INTO recent_minute (device, minute, reports, positions) VALUES (?, ?, 1, ?) ON CONFLICT DO UPDATE SET reports = reports + 1, positions = positions + excluded.positions RETURNING reports',
        ).get(device, minute, positions)
        if (Number(counted?.reports) % trimEvery === 1) trim(device, limit)
      }
      sql('DELETE FROM recent WHERE device = ? AND received_at < ?').run(device, sinceMs)
    },
    'recent.list'(device: string, sinceMs: number, limit: number): RecentEntry[] {
      return sql(
        'SELECT seq, received_at, report, positions, tags FROM recent WHERE device = ? AND received_at >= ? ORDER BY seq DESC LIMIT ?',
      )
        .all(device, sinceMs, limit)
        .map((row) => ({
          seq: Number(row.seq),
          receivedAtMs: Number(row.received_at),
          report: String(row.report),
          positions: Number(row.positions),
          // Written by `recent.append`.
          tags: JSON.parse(String(row.tags)) as string[],
        }))
    },
    'recent.minutes'(device: string, sinceMinute: number): MinuteRow[] {
      return sql(
        'SELECT minute, reports, positions FROM recent_minute WHERE device = ? AND minute >= ? ORDER BY minute',
      )
        .all(device, sinceMinute)
        .map((row) => ({ minute: Number(row.minute), reports: Number(row.reports), positions: Number(row.positions) }))
    },
    'recent.sweep'(sinceMs: number, sinceMinute: number): void {
      sql('DELETE FROM recent WHERE received_at < ?').run(sinceMs)
      sql('DELETE FROM recent_minute WHERE minute < ?').run(sinceMinute)
    },
  }
}
