/**
 * Follows a device: polls its recent reports.
 * In: a client and a device. Out: each new report once, in the order in which the service received them.
 * See the document, operation listRecentReports.
 */
import type { RecentPositionReport } from '@posrep/spec'
import type { Client } from './calls/client.ts'
import { isPassing } from './calls/passing-failure.ts'
import { checkNoOthers } from './origins.ts'
import { type Clock, systemClock } from './ports.ts'
import { sleep } from './request/sleep.ts'

export interface WatchOptions {
  /** Ends the iteration, without an error. */
  signal?: AbortSignal | undefined
  /** Time between two polls, in ms: 250 or more. Default 2,000. */
  intervalMs?: number
  /**
   * Begin with the reports of the current metric window (an hour); a number: with at most this many of the newest.
   * Default false: only reports that arrive from now on.
   */
  history?: boolean | number
  /** Default: the system clock. */
  clock?: Clock
}

/**
 * Reports that were received at about the same time may become visible in another order, so the last polls' time is
 * read again.
 */
const overlapMs = 10_000
const pageSize = 100
const longestPauseMs = 60_000

/**
 * While the service is busy or unreachable it polls less often: as `Retry-After` says, otherwise after twice the time
 * each time, at most a minute. A report that left the window, or the maximum of 10,000 reports, between two polls is
 * missed.
 *
 * @throws PosrepError every other failure, such as `not_found` and `login_required`; RangeError for a wrong
 * `intervalMs`, TypeError for an unknown option
 * @example
 * ```ts
 * import type { Posrep } from '@posrep/client-sdk'
 * import { watchRecent } from '@posrep/client-sdk/watch'
 *
 * export async function print(posrep: Posrep, deviceUrn: string, signal: AbortSignal) {
 *   for await (const { positions } of watchRecent(posrep, deviceUrn, { signal })) console.log(positions)
 * }
 * ```
 */
export async function* watchRecent(
  client: Pick<Client, 'listRecentReports'>,
  deviceUrn: string,
  { signal, intervalMs = 2_000, history = false, clock = systemClock, ...others }: WatchOptions = {},
): AsyncGenerator<RecentPositionReport, void, void> {
  checkNoOthers(others, 'watchRecent')
  if (!(intervalMs >= 250)) throw new RangeError(`"intervalMs" must be 250 or more, got ${intervalMs}`)
  /** The reports of the overlap that were seen, with the times at which they were received. */
  let seen = new Map<string, number>()
  let newestMs = Number.NEGATIVE_INFINITY
  const historyLength = history === true ? Number.POSITIVE_INFINITY : Number(history)
  let isFirst = true
  let pauseMs = intervalMs

  while (!signal?.aborted) {
    try {
      const fresh = remember(await list())
      yield* isFirst ? fresh.slice(Math.max(0, fresh.length - historyLength)) : fresh
      isFirst = false
      pauseMs = intervalMs
    } catch (error) {
      if (signal?.aborted) return
      if (!isPassing(error)) throw error
      pauseMs = Math.min(Math.max(pauseMs * 2, error.retryAfterMs ?? 0), longestPauseMs)
    }
    await sleep(clock, pauseMs, signal).catch(() => {}) // the signal ends the loop
  }

  /**
   * The reports that may be new, oldest first. The first list has the history, and the reports that the next one may
   * repeat.
   */
  async function list(): Promise<RecentPositionReport[]> {
    const reports: RecentPositionReport[] = []
    for (let after: string | undefined; ; ) {
      const { data, next } = await client.listRecentReports(deviceUrn, { limit: pageSize, after, signal })
      reports.push(...data)
      const [newest, oldest] = [reports[0], data.at(-1)]
      if (next === undefined || !newest || !oldest) break
      const sinceMs = (isFirst ? toReceivedMs(newest) : newestMs) - overlapMs
      if (toReceivedMs(oldest) < sinceMs && (!isFirst || reports.length >= historyLength)) break
      after = next
    }
    return reports.reverse()
  }

  /** Returns the reports that were not seen. Forgets those that are older than the overlap. */
  function remember(reports: RecentPositionReport[]): RecentPositionReport[] {
    const sinceMs = newestMs - overlapMs
    const fresh: RecentPositionReport[] = []
    for (const report of reports) {
      const receivedMs = toReceivedMs(report)
      // A report has no id. Reports that are equal to the millisecond are the same one, listed twice.
      const key = JSON.stringify(report)
      if (receivedMs < sinceMs || seen.has(key)) continue
      seen.set(key, receivedMs)
      newestMs = Math.max(newestMs, receivedMs)
      fresh.push(report)
    }
    seen = new Map([...seen].filter(([, receivedMs]) => receivedMs >= newestMs - overlapMs))
    return fresh
  }
}

function toReceivedMs({ receivedTimeStamp }: RecentPositionReport): number {
  return Date.parse(receivedTimeStamp)
}
