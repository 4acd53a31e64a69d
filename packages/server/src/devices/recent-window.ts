/**
 * Reads the recent reports of a device in portions, for an answer.
 * In: the bound of the window, the bound of the answer, and where an earlier answer ended. Out: pages of reports,
 * newest first, and at the end whether older reports are left, and where the next answer starts.
 */
import { ApiError } from '../errors.ts'
import type { RecentBound, RecentEntry, RecentReports } from '../ports/storage/recent-reports.ts'

export interface RecentWindow {
  recentReports: Pick<RecentReports, 'list'>
  deviceUrn: string
  window: Omit<RecentBound, 'maxBytesOfClient'>
  /** Default: the answer has the whole window. */
  answer?: { limit: number; maxBytes: number } | undefined
  /** The `next` of an earlier answer. */
  after?: string | undefined
}

export interface WindowEnd {
  /** The window has, or had, older reports. */
  truncated: boolean
  next?: string
}

/** Reports per call of the store. */
const pageReports = 500

const all = { limit: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }

export async function* readWindow(options: RecentWindow): AsyncGenerator<RecentEntry[], WindowEnd, undefined> {
  const { recentReports, deviceUrn, window, answer = all } = options
  let { after, reports, bytes } = fromCursor(options.after)
  const end = { reports: reports + answer.limit, bytes: bytes + answer.maxBytes }
  while (reports < window.limit) {
    const limit = Math.min(pageReports, window.limit - reports, end.reports - reports)
    const { entries, next, truncated } = await recentReports.list(deviceUrn, { sinceMs: window.sinceMs, limit, after })
    const sizes = entries.map(({ report }) => Buffer.byteLength(report))
    const within = countWithin(sizes, window.maxBytes - bytes)
    yield entries.slice(0, within)
    if (within < entries.length) return { truncated: true }
    if (next === undefined) return { truncated }
    after = next
    reports += entries.length
    bytes += sizes.reduce((sum, size) => sum + size, 0)
    if (reports >= window.limit) break
    if (reports >= end.reports || bytes >= end.bytes) return { truncated: true, next: `${next}.${reports}.${bytes}` }
  }
  return { truncated: true }
}

/**
 * Where an answer ended: a place in the store, and the number and the size of the window's reports up to it.
 * @throws ApiError `invalid_request`
 */
function fromCursor(cursor: string | undefined): { after: string | undefined; reports: number; bytes: number } {
  if (cursor === undefined) return { after: undefined, reports: 0, bytes: 0 }
  const [, after, reports, bytes] = /^(\d{1,16}(?:-\d{1,16})?)\.(\d{1,12})\.(\d{1,12})$/.exec(cursor) ?? []
  if (after !== undefined) return { after, reports: Number(reports), bytes: Number(bytes) }
  const error = { pointer: '/query/after', code: 'after', detail: 'is not the "next" of an earlier answer' }
  throw new ApiError('invalid_request', `"${error.pointer}" ${error.detail}`, { errors: [error] })
}

/** The number of leading sizes whose sum is at most `maxBytes`. */
function countWithin(sizes: number[], maxBytes: number): number {
  let sum = 0
  const beyond = sizes.findIndex((size) => (sum += size) > maxBytes)
  return beyond === -1 ? sizes.length : beyond
}
