/**
 * The statements that the worker runs for `RecentReports`. Each call is one step of a transaction.
 * The seqs of each device's reports are in the memory of this thread: an index in the file would change one more page
 * per report. A report and its log entry have the same seq and share one body.
 */
import { type RecentEntry, type RecentPage, recentPageBytes } from '../../../ports/storage/recent-reports.ts'
import { fromJson } from '../../from-json.ts'
import type { Database } from '../database/database.ts'
import { createRecentIndex, type IndexBound, type IndexedReport } from './recent-index.ts'

/**
 * The oldest reports are removed together, once this many exceed the bound, or so many that this share of its size is
 * exceeded.
 */
const trimFrom = { reports: 64, share: 1 / 16 }

export interface MinuteRow {
  minute: number
  reports: number
  positions: number
}

export interface MetricRows {
  minutes: MinuteRow[]
  lastReceivedAtMs: number | undefined
}

/** Reports of one device, as columns: an object per report would be slower to send between threads. */
export interface RecentColumns {
  device: string
  bound: IndexBound
  seqs: number[]
  /** The size of each report. */
  bytes: number[]
  times: number[]
  minutes: number[]
  positions: number[]
  /** JSON; null when there are none. */
  tags: (string | null)[]
  /** Null when the log contains the body under the same seq. */
  reports: (string | null)[]
}

export function recentStatements({ sql, afterwards }: Database) {
  const index = createRecentIndex(() => sql('SELECT seq, device, bytes FROM recent ORDER BY seq').iterate())

  function remove(seq: number): void {
    sql('DELETE FROM recent WHERE seq = ?').run(seq)
    sql(
      'DELETE FROM report_body WHERE seq = ?1 AND NOT EXISTS (SELECT 1 FROM report_waiting WHERE seq = ?1) AND NOT EXISTS (SELECT 1 FROM report_buried WHERE seq = ?1)',
    ).run(seq)
  }

  /** Called before the new reports are added to the index, so that they stay. */
  function trim(device: string, bound: IndexBound): void {
    const beyond = index.oldestBeyond(device, bound)
    const last = beyond.at(-1)
    if (!last) return
    const bytes = beyond.reduce((sum, report) => sum + report.bytes, 0)
    const isClientFull = index.bytesOfClient(device) > bound.maxBytesOfClient
    if (!isClientFull && beyond.length < trimFrom.reports && bytes < trimFrom.share * bound.maxBytes) return
    sql(
      'INSERT OR REPLACE INTO recent_truncated (device, at) SELECT device, received_at FROM recent WHERE seq = ?',
    ).run(last.seq)
    for (const { seq } of beyond) remove(seq)
    afterwards({ keep: () => index.forgetUpTo(device, last.seq) })
  }

  function count(device: string, counts: Map<number, { reports: number; positions: number }>): void {
    for (const [minute, { reports, positions }] of counts) {
      sql(
        'INSERT INTO recent_minute (minute, device, reports, positions) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET reports = reports + excluded.reports, positions = positions + excluded.positions',
      ).run(minute, device, reports, positions)
    }
  }

  function append({ device, bound, ...columns }: RecentColumns): void {
    const counts = new Map<number, { reports: number; positions: number }>()
    const added: IndexedReport[] = []
    columns.seqs.forEach((seq, at) => {
      const positions = columns.positions[at] ?? 0
      const bytes = columns.bytes[at] ?? 0
      const { changes } = sql(
        'INSERT OR IGNORE INTO recent (seq, device, received_at, positions, bytes, tags, report) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ).run(
        seq,
        device,
        columns.times[at] ?? 0,
        positions,
        bytes,
        columns.tags[at] ?? null,
        columns.reports[at] ?? null,
      )
      if (changes === 0) return
      added.push({ seq, bytes })
      const minute = columns.minutes[at] ?? 0
      const counted = counts.get(minute) ?? { reports: 0, positions: 0 }
      counts.set(minute, { reports: counted.reports + 1, positions: counted.positions + positions })
    })
    count(device, counts)
    trim(device, bound)
    afterwards({ keep: () => index.add(device, added) })
  }

  function findLastReceived(device: string, sinceMs: number): number | undefined {
    for (const { seq } of index.newestFirst(device, Number.MAX_SAFE_INTEGER)) {
      const receivedAtMs = Number(sql('SELECT received_at FROM recent WHERE seq = ?').get(seq)?.received_at ?? 0)
      return receivedAtMs >= sinceMs ? receivedAtMs : undefined
    }
    return undefined
  }

  return {
    'recent.append'(devices: RecentColumns[]): void {
      index.load()
      for (const columns of devices) append(columns)
    },
    'recent.list'(device: string, sinceMs: number, limit: number, beforeSeq: number): RecentPage {
      const entries: RecentEntry[] = []
      let room = recentPageBytes
      let lastSeq = 0
      const found = sql('SELECT at FROM recent_truncated WHERE device = ?').get(device)
      const truncated = found !== undefined && Number(found.at) >= sinceMs
      for (const { seq, bytes } of index.newestFirst(device, beforeSeq)) {
        const row = sql('SELECT received_at, positions, tags FROM recent WHERE seq = ?').get(seq)
        if (Number(row?.received_at) < sinceMs) break
        if (entries.length === limit || room <= 0) return { entries, next: String(lastSeq), truncated }
        const body = sql(
          'SELECT coalesce(report, (SELECT body FROM report_body WHERE seq = ?1)) AS report FROM recent WHERE seq = ?1',
        ).get(seq)
        if (row && typeof body?.report === 'string') entries.push(toEntry(seq, body.report, row))
        room -= bytes
        lastSeq = seq
      }
      return { entries, truncated }
    },
    'recent.read'(device: string, seqs: number[]): (string | undefined)[] {
      return seqs.map((seq) => {
        const row = sql(
          'SELECT coalesce(report, (SELECT body FROM report_body WHERE seq = ?1)) AS report FROM recent WHERE seq = ?1 AND device = ?2',
        ).get(seq, device)
        return typeof row?.report === 'string' ? row.report : undefined
      })
    },
    'recent.metrics'(devices: string[], sinceMs: number, sinceMinute: number): MetricRows[] {
      const minutes = sql('SELECT DISTINCT minute FROM recent_minute WHERE minute >= ? ORDER BY minute')
        .all(sinceMinute)
        .map((row) => Number(row.minute))
      return devices.map((device) => ({
        lastReceivedAtMs: findLastReceived(device, sinceMs),
        minutes: minutes.flatMap((minute) => {
          const row = sql('SELECT reports, positions FROM recent_minute WHERE minute = ? AND device = ?').get(
            minute,
            device,
          )
          return row ? [{ minute, reports: Number(row.reports), positions: Number(row.positions) }] : []
        }),
      }))
    },
    /** Deletes reports that have left the window, up to `most`. Returns whether there may be more. */
    'recent.sweep'(sinceMs: number, sinceMinute: number, most: { reports: number; bytes: number }): boolean {
      const old: { seq: number; device: string }[] = []
      let bytes = 0
      // Seqs are in the order of time, so all reports after the first one in the window are in the window, too.
      for (const row of sql('SELECT seq, device, received_at, bytes FROM recent ORDER BY seq LIMIT ?').all(
        most.reports,
      )) {
        if (Number(row.received_at) >= sinceMs || bytes >= most.bytes) break
        old.push({ seq: Number(row.seq), device: String(row.device) })
        bytes += Number(row.bytes)
      }
      for (const { seq, device } of old) {
        remove(seq)
        afterwards({ keep: () => index.forgetUpTo(device, seq) })
      }
      sql('DELETE FROM recent_minute WHERE minute < ?').run(sinceMinute)
      sql('DELETE FROM recent_truncated WHERE at < ?').run(sinceMs)
      return old.length === most.reports || bytes >= most.bytes
    },
    /** Called after a backup was restored. */
    'recent.forget'(): void {
      index.clear()
    },
  }
}

export function toEntry(seq: number, report: string, row: Record<string, unknown>): RecentEntry {
  return {
    seq,
    receivedAtMs: Number(row.received_at),
    report,
    positions: Number(row.positions),
    tags: row.tags === null ? [] : fromJson<string[]>(String(row.tags)),
  }
}
