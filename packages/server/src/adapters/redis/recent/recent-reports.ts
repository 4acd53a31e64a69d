/**
 * `RecentReports` in Redis: a stream and a tally per device; `recent-scripts.ts` describes the keys.
 * The clock of the process decides which reports are in the window. Appends that arrive together share one script call.
 * A body that has its own key in the report log is copied inside Redis.
 */
import type { PositionReportMetric } from '@posrep/spec'
import {
  minuteOf,
  type RecentBound,
  type RecentEntry,
  type RecentReports,
} from '../../../ports/storage/recent-reports.ts'
import { fromJson } from '../../from-json.ts'
import type { RedisLink } from '../link/link.ts'
import { toRows, toTexts } from '../link/reply.ts'
import { createScriptBatch } from '../link/script-batch.ts'
import type { RedisLog } from '../log/log.ts'
import { appendRecentScript, listRecentScript, sweepRecentScript, tallyScript } from './recent-scripts.ts'

interface Append {
  device: string
  entries: StoredEntry[]
  bound: RecentBound
}

interface StoredEntry extends Omit<RecentEntry, 'report'> {
  /** The report, or the name of its body. */
  text: string
  isNamed: boolean
}

export interface RedisRecentReportsOptions {
  link: RedisLink
  /** The log that the reports come from, to copy large bodies inside Redis. Default: none; every report is sent to Redis. */
  reportLog?: Pick<RedisLog, 'findName'>
}

const keys = ['recent:', 'log:report:body:']
/** Devices per script call. Redis serves no other client while a script runs. */
const deviceBatchSize = 200

export function createRedisRecentReports({ link, reportLog }: RedisRecentReportsOptions): RecentReports {
  const append = createScriptBatch<Append>({
    async run(calls, answerMs) {
      await link.run(appendRecentScript, keys, calls.flatMap(toArgs), answerMs)
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

  /** Returns the reports, without those that were deleted after they were listed. */
  async function read(rows: StoredEntry[]): Promise<RecentEntry[]> {
    const named = rows.filter(({ isNamed }) => isNamed)
    const bodies = named.length === 0 ? [] : await link.read(named.map(({ text }) => `${keys[0]}body:${text}`))
    const byName = new Map(named.map(({ text }, index) => [text, bodies[index]]))
    return rows.flatMap(({ text, isNamed, ...entry }) => {
      const report = isNamed ? byName.get(text) : text
      return report === undefined ? [] : [{ ...entry, report }]
    })
  }

  return {
    append: (device, entries, bound) =>
      append({ device, entries: entries.map((entry) => toStored(device, entry)), bound }),
    async list(device, { sinceMs, limit, after }) {
      const from = after === undefined ? '+' : `(${after}`
      const [rows, more, truncatedAtMs] = toRows(await link.run(listRecentScript, keys, [device, from, sinceMs, limit]))
      const page = toRows(rows).map(toRecent)
      const last = page.at(-1)
      const entries = await read(page.map(({ entry }) => entry).filter(({ receivedAtMs }) => receivedAtMs >= sinceMs))
      const truncated = truncatedAtMs !== null && Number(truncatedAtMs) >= sinceMs
      return { entries, truncated, ...(last && more === '1' && { next: last.id }) }
    },
    async metrics(devices, sinceMs) {
      const metrics = new Map<string, PositionReportMetric[]>()
      for await (const [device, tally] of tallies(devices)) metrics.set(device, toMetrics(tally, minuteOf(sinceMs)))
      return metrics
    },
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

/** `[id, ['at', time, 'positions', count, 'tags', JSON, 'report', text]]`, or `'name'` and a name; the id is `<time>-<seq>`. */
function toRecent(row: unknown): { id: string; entry: StoredEntry } {
  const [id, fields] = toRows(row)
  const [, at, , positions, , tags = '[]', field, text = ''] = toTexts(fields)
  const seq = Number(String(id).split('-')[1])
  const entry = {
    seq,
    receivedAtMs: Number(at),
    positions: Number(positions),
    tags: fromJson<string[]>(tags),
    text,
    isNamed: field === 'name',
  }
  return { id: String(id), entry }
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
