/**
 * The statements that the worker runs for `ReportFeed`. They read the tables only, because the index in memory is of
 * one process.
 */
import { recentPageBytes } from '../../../ports/storage/recent-reports.ts'
import type { FeedReport } from '../../../ports/storage/report-feed.ts'
import type { Database } from '../database/database.ts'
import { toEntry } from './recent-reports-statements.ts'

export function reportFeedStatements({ sql }: Database) {
  return {
    /**
     * The seqs of the stored reports after a seq, of one device or of all; and the seq up to which no report will be
     * stored any more. Without a seq, those after this one.
     */
    'feed.seqs'(device: string | null, afterSeq: number | null): { seqs: number[]; settledSeq: number } {
      const firstWaiting = sql('SELECT min(seq) AS seq FROM report_waiting').get()?.seq ?? null
      const settledSeq =
        firstWaiting === null
          ? Number(sql('SELECT max(seq) AS seq FROM recent').get()?.seq ?? 0)
          : Number(firstWaiting) - 1
      const rows = sql('SELECT seq FROM recent WHERE seq > ?1 AND (?2 IS NULL OR device = ?2) ORDER BY seq').all(
        afterSeq ?? settledSeq,
        device,
      )
      return { seqs: rows.map(({ seq }) => Number(seq)), settledSeq }
    },
    /**
     * The reports with the first of these seqs, without those that were deleted meanwhile; `read`: the number of seqs.
     */
    'feed.read'(seqs: number[]): { reports: FeedReport[]; read: number } {
      const reports: FeedReport[] = []
      let room = recentPageBytes
      let read = 0
      for (; read < seqs.length && room > 0; read++) {
        const seq = seqs[read] ?? 0
        const row = sql(
          'SELECT device, received_at, positions, bytes, tags, coalesce(report, (SELECT body FROM report_body WHERE seq = ?1)) AS text FROM recent WHERE seq = ?1',
        ).get(seq)
        if (!row || typeof row.text !== 'string') continue
        reports.push({ deviceUrn: String(row.device), ...toEntry(seq, row.text, row) })
        room -= Number(row.bytes)
      }
      return { reports, read }
    },
  }
}
