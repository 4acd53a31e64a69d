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
const lookEveryMs = 250
interface Moment {
  atMs: number
  /** Appends that started at this time and have not ended. */
  appends: number
}

/** Appends that start within this time are counted together. */
const momentMs = 50
/** A healthy store takes a few milliseconds. */
const slowMs = 2_000

export function createBackPressure({
  reportLog,
  clock,
  backlog,
  maxInFlight = memoryRoom(64 * 1024 * 1024),
}: BackPressureOptions): BackPressure {
  /** Appends in flight, grouped by start time, oldest first. */
  const inFlight: Moment[] = []
  let charactersInFlight = 0
  let isBehind = false
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  function look(): Promise<void> {
    lookedAtMs = clock.now()
    looking ??= reportLog
      .depth()
      .then(({ waiting }) => {
        isBehind = waiting > backlog
      })
      // If the store fails, appends fail as well. The last known depth may still be right.
      .catch(() => {})
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  async function check(): Promise<void> {
    if (clock.now() - lookedAtMs >= lookEveryMs) {
      const looked = look()
      // Only while reports are refused does a report wait for the current depth, so that it is not refused for an old one.
      if (isBehind) await looked
    }
    if (isBehind) throw refusal(`More than ${backlog} reports wait to be processed`, 5)
    const [oldest] = inFlight
    if (oldest && clock.now() - oldest.atMs > slowMs) throw refusal('The store is slow', 1)
    if (charactersInFlight > maxInFlight) throw refusal('The server is receiving too many reports at once', 1)
  }

  function begin(): Moment {
    const nowMs = clock.now()
    let moment = inFlight.at(-1)
    if (!moment || nowMs - moment.atMs > momentMs) inFlight.push((moment = { atMs: nowMs, appends: 0 }))
    moment.appends++
    return moment
  }

  function end(moment: Moment): void {
    moment.appends--
    while (inFlight[0]?.appends === 0) inFlight.shift()
  }

  return {
    async append(report) {
      await check()
      const moment = begin()
      charactersInFlight += report.body.length
      try {
        await reportLog.append([report])
      } finally {
        end(moment)
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
