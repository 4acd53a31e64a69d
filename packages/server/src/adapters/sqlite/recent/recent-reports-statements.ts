/**
 * The statements that the worker runs for `RecentReports`. Each call is one step of a transaction.
 * The seqs of each device's reports are in the memory of this thread: an index in the file would change one more page per
 * report. A report and its log entry have the same seq and share one body.
 */
import type { RecentEntry } from '../../../ports/storage/recent-reports.ts'
import { fromJson } from '../../from-json.ts'
import type { Database } from '../database/database.ts'
import { createRecentIndex } from './recent-index.ts'

/** The oldest reports are removed together, once this many exceed the limit. */
const trimFrom = 64

export interface MinuteRow {
  minute: number
  reports: number
  positions: number
}

/** Reports of one device, as columns: an object per report would be slower to send between threads. */
export interface RecentColumns {
  device: string
  /** The maximum number of reports of the device. */
  limit: number
  seqs: number[]
  times: number[]
  minutes: number[]
  positions: number[]
  /** JSON; null when there are none. */
  tags: (string | null)[]
  /** Null when the log contains the body under the same seq. */
  reports: (string | null)[]
}

export function recentStatements({ sql, afterwards }: Database) {
  const index = createRecentIndex(() => sql('SELECT seq, device FROM recent ORDER BY seq').iterate())

  function remove(seq: number): void {
    sql('DELETE FROM recent WHERE seq = ?').run(seq)
    sql(
      'DELETE FROM report_body WHERE seq = ?1 AND NOT EXISTS (SELECT 1 FROM report_waiting WHERE seq = ?1) AND NOT EXISTS (SELECT 1 FROM report_buried WHERE seq = ?1)',
    ).run(seq)
  }

  function trim(device: string, limit: number): void {
    const seqs = index.oldestBeyond(device, limit + 1)
    const last = seqs.at(-1)
    if (last === undefined || seqs.length < trimFrom) return
    for (const seq of seqs) remove(seq)
    afterwards({ keep: () => index.forgetUpTo(device, last) })
  }

  function count(device: string, counts: Map<number, { reports: number; positions: number }>): void {
    for (const [minute, { reports, positions }] of counts) {
      sql(
        'INSERT INTO recent_minute (minute, device, reports, positions) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET reports = reports + excluded.reports, positions = positions + excluded.positions',
      ).run(minute, device, reports, positions)
    }
  }

  function append({ device, limit, ...columns }: RecentColumns): void {
    const counts = new Map<number, { reports: number; positions: number }>()
    const added: number[] = []
    columns.seqs.forEach((seq, at) => {
      const positions = columns.positions[at] ?? 0
      const { changes } = sql(
        'INSERT OR IGNORE INTO recent (seq, device, received_at, positions, tags, report) VALUES (?, ?, ?, ?, ?, ?)',
      ).run(seq, device, columns.times[at] ?? 0, positions, columns.tags[at] ?? null, columns.reports[at] ?? null)
      if (changes === 0) return
      added.push(seq)
      const minute = columns.minutes[at] ?? 0
      const counted = counts.get(minute) ?? { reports: 0, positions: 0 }
      counts.set(minute, { reports: counted.reports + 1, positions: counted.positions + positions })
    })
    count(device, counts)
    trim(device, limit)
    afterwards({ keep: () => index.add(device, added) })
  }

  return {
    'recent.append'(devices: RecentColumns[]): void {
      index.load()
      for (const columns of devices) append(columns)
    },
    'recent.list'(device: string, sinceMs: number, limit: number): RecentEntry[] {
      const entries: RecentEntry[] = []
      for (const seq of index.newestFirst(device)) {
        if (entries.length === limit) break
        const row = sql(
          'SELECT received_at, positions, tags, coalesce(report, (SELECT body FROM report_body WHERE seq = ?1)) AS report FROM recent WHERE seq = ?1 AND received_at >= ?2',
        ).get(seq, sinceMs)
        if (typeof row?.report === 'string') entries.push(toEntry(seq, row.report, row))
      }
      return entries
    },
    'recent.minutes'(devices: string[], sinceMinute: number): MinuteRow[][] {
      const minutes = sql('SELECT DISTINCT minute FROM recent_minute WHERE minute >= ? ORDER BY minute')
        .all(sinceMinute)
        .map((row) => Number(row.minute))
      return devices.map((device) =>
        minutes.flatMap((minute) => {
          const row = sql('SELECT reports, positions FROM recent_minute WHERE minute = ? AND device = ?').get(
            minute,
            device,
          )
          return row ? [{ minute, reports: Number(row.reports), positions: Number(row.positions) }] : []
        }),
      )
    },
    /** Deletes up to `limit` reports that have left the window. Returns the number deleted. */
    'recent.sweep'(sinceMs: number, sinceMinute: number, limit: number): number {
      const old: { seq: number; device: string }[] = []
      // Seqs are in the order of time, so all reports after the first one in the window are in the window, too.
      for (const row of sql('SELECT seq, device, received_at FROM recent ORDER BY seq LIMIT ?').all(limit)) {
        if (Number(row.received_at) >= sinceMs) break
        old.push({ seq: Number(row.seq), device: String(row.device) })
      }
      for (const { seq, device } of old) {
        remove(seq)
        afterwards({ keep: () => index.forgetUpTo(device, seq) })
      }
      sql('DELETE FROM recent_minute WHERE minute < ?').run(sinceMinute)
      return old.length
    },
    /** Called after a backup was restored. */
    'recent.forget'(): void {
      index.clear()
    },
  }
}

function toEntry(seq: number, report: string, row: Record<string, unknown>): RecentEntry {
  return {
    seq,
    receivedAtMs: Number(row.received_at),
    report,
    positions: Number(row.positions),
    tags: row.tags === null ? [] : fromJson<string[]>(String(row.tags)),
  }
}
