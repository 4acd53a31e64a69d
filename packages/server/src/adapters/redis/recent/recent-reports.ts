/**
 * `RecentReports` in Redis: a stream and a tally per device; `recent-scripts.ts` describes the keys.
 * The clock of the process decides which reports are in the window. Appends that arrive together share one script call.
 * A body that has its own key in the report log is copied inside Redis.
 */
import type { PositionReportMetric } from '@posrep/spec'
import {
  type DeviceMetrics,
  minuteOf,
  type RecentBound,
  type RecentEntry,
  type RecentReports,
} from '../../../ports/storage/recent-reports.ts'
import type { RedisLink } from '../link/link.ts'
import { toRows, toTexts } from '../link/reply.ts'
import { createScriptBatch } from '../link/script-batch.ts'
import type { RedisLog } from '../log/log.ts'
import { recentKeys as keys, readBodies, type StoredEntry, toRecent } from './recent-rows.ts'
import {
  appendRecentScript,
  bytesOfClientsScript,
  listRecentScript,
  readRecentScript,
  sweepRecentScript,
  tallyScript,
} from './recent-scripts.ts'

interface Append {
  device: string
  entries: StoredEntry[]
  bound: RecentBound
}

export interface RedisRecentReportsOptions {
  link: RedisLink
  /**
   * The log that the reports come from, to copy large bodies inside Redis. Default: none; every report is sent to
   * Redis.
   */
  reportLog?: Pick<RedisLog, 'findName'>
  /** Called with the bytes of a client's reports here, after each append by this process that changed them. */
  onClientBytes?(client: string, bytes: number): void
}

/** One partition of the recent reports, or all of them. */
export interface RedisRecentReports extends RecentReports {
  /** The bytes of each client's reports here. */
  bytesOfClients(clients: string[]): Promise<number[]>
}

/** Devices per script call. Redis serves no other client while a script runs. */
const deviceBatchSize = 200

export function createRedisRecentReports({
  link,
  reportLog,
  onClientBytes = () => {},
}: RedisRecentReportsOptions): RedisRecentReports {
  const append = createScriptBatch<Append>({
    answerMs: link.answerMs,
    async run(calls, answerMs) {
      const sums = toTexts(await link.run(appendRecentScript, keys, calls.flatMap(toArgs), answerMs))
      for (let n = 0; n < sums.length; n += 2) onClientBytes(sums[n] ?? '', Number(sums[n + 1]))
    },
    sizeOf: ({ entries }) => entries.reduce((sum, { text }) => sum + text.length, 0),
  })

  async function* tallies(devices: string[]): AsyncGenerator<[device: string, tally: Map<string, number>]> {
    for (let first = 0; first < devices.length; first += deviceBatchSize) {
      const batch = devices.slice(first, first + deviceBatchSize)
      const found = toRows(await link.run(tallyScript, keys, batch))
      for (const [index, device] of batch.entries()) yield [device, toTally(toTexts(found[index]))]
    }
  }

  function toStored(device: string, entry: RecentEntry): StoredEntry {
    const { seq, receivedAtMs, positions, tags } = entry
    const name = reportLog?.findName(device, seq)
    return { seq, receivedAtMs, positions, tags, text: name ?? entry.report, isNamed: name !== undefined }
  }

  return {
    append: (device, entries, bound) =>
      append({ device, entries: entries.map((entry) => toStored(device, entry)), bound }),
    async list(device, { sinceMs, limit, after }) {
      const from = after === undefined ? '+' : `(${after}`
      const [rows, more, truncatedAtMs] = toRows(await link.run(listRecentScript, keys, [device, from, sinceMs, limit]))
      const page = toRows(rows).map(toRecent)
      const last = page.at(-1)
      const entries = await readBodies(
        link,
        page.map(({ entry }) => entry).filter(({ receivedAtMs }) => receivedAtMs >= sinceMs),
      )
      const truncated = truncatedAtMs !== null && Number(truncatedAtMs) >= sinceMs
      return { entries, truncated, ...(last && more === '1' && { next: last.id }) }
    },
    async read(device, reports) {
      const wanted = reports.flatMap(({ seq, receivedAtMs }) => [seq, receivedAtMs])
      const rows = toRows(await link.run(readRecentScript, keys, [device, ...wanted])).map(toRecent)
      const entries = await readBodies(
        link,
        rows.map(({ entry }) => entry),
      )
      const bySeq = new Map(entries.map(({ seq, report }) => [seq, report]))
      return reports.map(({ seq }) => bySeq.get(seq))
    },
    async metrics(devices, sinceMs) {
      const metrics = new Map<string, DeviceMetrics>()
      for await (const [device, tally] of tallies(devices)) {
        const lastReceivedAtMs = tally.get('time')
        const isInWindow = lastReceivedAtMs !== undefined && lastReceivedAtMs >= sinceMs
        metrics.set(device, {
          minutes: toMetrics(tally, minuteOf(sinceMs)),
          lastReceivedAtMs: isInWindow ? lastReceivedAtMs : undefined,
        })
      }
      return metrics
    },
    bytesOfClients: async (clients) => toRows(await link.run(bytesOfClientsScript, keys, clients)).map(Number),
    async sweep(sinceMs) {
      while ((await link.run(sweepRecentScript, keys, [sinceMs, deviceBatchSize])) === '1');
    },
  }
}

function toArgs({ device, entries, bound }: Append): (string | number)[] {
  return [
    device,
    bound.sinceMs,
    minuteOf(bound.sinceMs),
    bound.limit,
    bound.maxBytes,
    bound.maxBytesOfClient,
    entries.length,
    ...entries.flatMap(({ seq, receivedAtMs, positions, tags, text, isNamed }) => [
      seq,
      receivedAtMs,
      minuteOf(receivedAtMs),
      positions,
      tags.length === 0 ? '[]' : JSON.stringify(tags),
      isNamed ? 'name' : 'report',
      text,
    ]),
  ]
}

/** @param fields Alternating fields and values. */
function toTally(fields: string[]): Map<string, number> {
  const tally = new Map<string, number>()
  for (let index = 0; index < fields.length; index += 2) tally.set(fields[index] ?? '', Number(fields[index + 1]))
  return tally
}

function toMetrics(tally: Map<string, number>, sinceMinute: number): PositionReportMetric[] {
  return [...tally]
    .filter(([field]) => field.startsWith('r'))
    .map(([field, reports]) => ({
      minute: Number(field.slice(1)),
      reports,
      positions: tally.get(`p${field.slice(1)}`) ?? 0,
    }))
    .filter(({ minute }) => minute >= sinceMinute)
    .sort((a, b) => a.minute - b.minute)
    .map(({ minute, ...counts }) => ({ windowStart: new Date(minute).toISOString(), ...counts }))
}
