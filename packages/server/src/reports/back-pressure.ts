/**
 * Refuses reports under overload, before they are stored: 503 with `Retry-After`. Reports are accepted again as soon as the
 * overload has ended.
 * In: reports for the log. Out: appended entries; ApiError `unavailable` while too many reports wait to be processed, while
 * the store is slow, or while too many characters are being appended.
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { memoryRoom } from '../ports/memory-room.ts'
import type { NewEntry, ReportLog } from '../ports/storage/log.ts'

export interface BackPressureOptions {
  reportLog: Pick<ReportLog, 'append' | 'depth'>
  clock: Clock
  /** Limit of reports that wait in the log. */
  backlog: number
  /** Limit of characters that are being appended. Default: 64 Mi, less if the heap is small. */
  maxInFlight?: number
}

export interface BackPressure {
  /** @throws ApiError `unavailable`, from this module or from the log */
  append(report: NewEntry): Promise<void>
}

/** While reports arrive, the depth of the log is read at this interval. */
const depthIntervalMs = 250
/** The store is slow when an append takes longer. A healthy store takes a few milliseconds. */
const slowMs = 2_000

export function createBackPressure({
  reportLog,
  clock,
  backlog,
  maxInFlight = memoryRoom(64 * 1024 * 1024),
}: BackPressureOptions): BackPressure {
  /** Appends in flight, oldest first. */
  const inFlight = new Set<{ startedAtMs: number }>()
  let charactersInFlight = 0
  let isBacklogFull = false
  let depthReadAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  function readDepth(): Promise<void> {
    depthReadAtMs = clock.now()
    reading ??= reportLog
      .depth()
      .then(({ waiting }) => {
        isBacklogFull = waiting > backlog
      })
      // If the store fails, appends fail as well. The last known depth may still be right.
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  async function check(): Promise<void> {
    if (clock.now() - depthReadAtMs >= depthIntervalMs) {
      const depthRead = readDepth()
      // While reports are refused, wait for the current depth, so that no report is refused because of an old depth.
      if (isBacklogFull) await depthRead
    }
    if (isBacklogFull) throw refusal(`More than ${backlog} reports wait to be processed`, 5)
    const [oldest] = inFlight
    if (oldest && clock.now() - oldest.startedAtMs > slowMs) throw refusal('The store is slow', 1)
    if (charactersInFlight > maxInFlight) throw refusal('The server is receiving too many reports at once', 1)
  }

  return {
    async append(report) {
      await check()
      const appending = { startedAtMs: clock.now() }
      inFlight.add(appending)
      charactersInFlight += report.body.length
      try {
        await reportLog.append([report])
      } finally {
        inFlight.delete(appending)
        charactersInFlight -= report.body.length
      }
    },
  }
}

function refusal(reason: string, afterSeconds: number): ApiError {
  return new ApiError('unavailable', `${reason}; nothing was stored, send it again in ${afterSeconds} s`, {
    headers: { 'Retry-After': String(afterSeconds) },
  })
}
