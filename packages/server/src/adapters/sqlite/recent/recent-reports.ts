/** `RecentReports` in the embedded database. */
import type { PositionReportMetric } from '@posrep/spec'
import { createBatch } from '../../../concurrency/batch.ts'
import { minuteOf, type RecentReports } from '../../../ports/storage/recent-reports.ts'
import type { SqliteEngine } from '../engine.ts'
import type { SqliteLog } from '../log/log.ts'
import type { MinuteRow, RecentColumns } from './recent-reports-statements.ts'

export interface SqliteRecentReportsOptions {
  engine: SqliteEngine
  /** The log of the same database. A body that it contains under the same seq is not written again. */
  reportLog?: Pick<SqliteLog, 'findBytes'>
}

/** Limits what is deleted per call, so that other calls do not wait long. */
const sweepMost = { reports: 500, bytes: 8 * 1024 * 1024 }

export function createSqliteRecentReports({ engine, reportLog }: SqliteRecentReportsOptions): RecentReports {
  const append = createBatch({ run: (devices: RecentColumns[]) => engine.call('recent.append', devices) })

  return {
    append: (device, entries, { limit, maxBytes, maxBytesOfClient }) => {
      const inLog = entries.map(({ seq }) => reportLog?.findBytes(seq))
      return append({
        device,
        bound: { limit, maxBytes, maxBytesOfClient },
        seqs: entries.map(({ seq }) => seq),
        times: entries.map(({ receivedAtMs }) => receivedAtMs),
        minutes: entries.map(({ receivedAtMs }) => minuteOf(receivedAtMs)),
        positions: entries.map(({ positions }) => positions),
        tags: entries.map(({ tags }) => (tags.length === 0 ? null : JSON.stringify(tags))),
        bytes: entries.map((entry, at) => inLog[at] ?? Buffer.byteLength(entry.report)),
        reports: entries.map((entry, at) => (inLog[at] === undefined ? entry.report : null)),
      })
    },
    list: (deviceUrn, { sinceMs, limit, after }) => engine.call('recent.list', deviceUrn, sinceMs, limit, toSeq(after)),
    read: (deviceUrn, reports) =>
      engine.call(
        'recent.read',
        deviceUrn,
        reports.map(({ seq }) => seq),
      ),
    async metrics(deviceUrns, sinceMs) {
      const found = await engine.call('recent.metrics', deviceUrns, sinceMs, minuteOf(sinceMs))
      return new Map(
        deviceUrns.map((urn, index) => {
          const { minutes = [], lastReceivedAtMs } = found[index] ?? {}
          return [urn, { minutes: minutes.map(toMetric), lastReceivedAtMs }]
        }),
      )
    },
    async sweep(sinceMs) {
      while (await engine.call('recent.sweep', sinceMs, minuteOf(sinceMs), sweepMost));
    },
  }
}

function toSeq(after: string | undefined): number {
  return after === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(after, 10)
}

function toMetric({ minute, ...counts }: MinuteRow): PositionReportMetric {
  return { windowStart: new Date(minute).toISOString(), ...counts }
}
