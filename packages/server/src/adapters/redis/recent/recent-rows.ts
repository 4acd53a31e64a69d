/** The entries of the streams of recent reports. In: replies of the scripts. Out: reports with their bodies. */
import type { RecentEntry } from '../../../ports/storage/recent-reports.ts'
import { fromJson } from '../../from-json.ts'
import type { RedisLink } from '../link/link.ts'
import { logPrefix } from '../link/log-prefix.ts'
import { toRows, toTexts } from '../link/reply.ts'

/** The prefixes of the keys that the scripts get. */
export const recentKeys = ['recent:', `${logPrefix('report')}body:`]

export interface StoredEntry extends Omit<RecentEntry, 'report'> {
  /** The report, or the name of its body. */
  text: string
  isNamed: boolean
}

/**
 * `[id, ['at', time, 'positions', count, 'tags', JSON, 'report', text]]`, or `'name'` and a name; the id is
 * `<time>-<seq>`.
 */
export function toRecent(row: unknown): { id: string; entry: StoredEntry } {
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

/** Returns the reports, without those that were deleted after they were listed. */
export async function readBodies<T extends StoredEntry>(
  link: RedisLink,
  rows: T[],
): Promise<(Omit<T, 'text' | 'isNamed'> & { report: string })[]> {
  const named = rows.filter(({ isNamed }) => isNamed)
  const bodies = named.length === 0 ? [] : await link.read(named.map(({ text }) => `${recentKeys[0]}body:${text}`))
  const byName = new Map(named.map(({ text }, index) => [text, bodies[index]]))
  return rows.flatMap(({ text, isNamed, ...entry }) => {
    const report = isNamed ? byName.get(text) : text
    return report === undefined ? [] : [{ ...entry, report }]
  })
}
