/**
 * `ReportFeed` in the embedded database.
 * Devices are processed independently of each other, so reports are not stored in the order of their seqs. But every
 * report below the first one that waits is stored, so only those above it have to be looked for again.
 */
import type { OpenReportFeed } from '../../../ports/storage/report-feed.ts'
import type { SqliteEngine } from '../engine.ts'

/** Reports per call. */
const pageReports = 200

export function createSqliteReportFeed({ engine }: { engine: SqliteEngine }): OpenReportFeed {
  return async (deviceUrn) => {
    const device = deviceUrn ?? null
    const start = await engine.call('feed.seqs', device, null)
    let { settledSeq } = start
    /** Those above `settledSeq` that were returned or wait in `unread`. */
    let found = new Set(start.seqs)
    let unread: number[] = []

    async function look(): Promise<void> {
      const now = await engine.call('feed.seqs', device, settledSeq)
      unread = now.seqs.filter((seq) => !found.has(seq))
      settledSeq = Math.max(settledSeq, now.settledSeq)
      found = new Set(now.seqs.filter((seq) => seq > settledSeq))
    }

    return {
      async next() {
        if (unread.length === 0) await look()
        const { reports, read } = await engine.call('feed.read', unread.slice(0, pageReports))
        unread = unread.slice(read)
        return reports
      },
    }
  }
}
