/**
 * Refuses reports that the log could not keep up with, before anything of them is stored: 503 with `Retry-After`, until the
 * log has caught up, which ends it by itself.
 * In: reports for the log. Out: what is in the log; ApiError `unavailable` while too many reports wait to be processed,
 * while the store takes too long, or while too much is on its way into it.
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { NewEntry, ReportLog } from '../ports/log.ts'
import { memoryRoom } from '../ports/memory-room.ts'

export interface BackPressureOptions {
  reportLog: Pick<ReportLog, 'append' | 'depth'>
  clock: Clock
  /** Most reports that wait in the log. */
  backlog: number
  /** Characters of reports on their way into the log. Default 64 Mi, less where the heap is small. */
  maxUnderWay?: number
}

export interface BackPressure {
  /** @throws ApiError `unavailable`, of ours or of the log */
  append(report: NewEntry): Promise<void>
}

/** The log is asked as long as there are reports, and no more often than this. */
const lookEveryMs = 250
interface Moment {
  atMs: number
  /** That began then and have not ended. */
  appends: number
}

/** What begins within it counts as one. */
const momentMs = 50
/** A store that is well answers in a few milliseconds. */
const slowMs = 2_000

export function createBackPressure({
  reportLog,
  clock,
  backlog,
  maxUnderWay = memoryRoom(64 * 1024 * 1024),
}: BackPressureOptions): BackPressure {
  /** Oldest first, the appends that began at about the same time. */
  const underWay: Moment[] = []
  let charactersUnderWay = 0
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
      // A store that cannot say it refuses the reports, too, and what was known before may still be so.
      .catch(() => {})
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  async function check(): Promise<void> {
    if (clock.now() - lookedAtMs >= lookEveryMs) {
      const looked = look()
      // Only what would be refused waits for the answer, so that it is not refused for what is over.
      if (isBehind) await looked
    }
    if (isBehind) throw refusal(`More than ${backlog} reports wait to be processed`, 5)
    const [oldest] = underWay
    if (oldest && clock.now() - oldest.atMs > slowMs) throw refusal('The store is slow', 1)
    if (charactersUnderWay > maxUnderWay) throw refusal('Too many reports come at once', 1)
  }

  function begin(): Moment {
    const nowMs = clock.now()
    let moment = underWay.at(-1)
    if (!moment || nowMs - moment.atMs > momentMs) underWay.push((moment = { atMs: nowMs, appends: 0 }))
    moment.appends++
    return moment
  }

  function end(moment: Moment): void {
    moment.appends--
    while (underWay[0]?.appends === 0) underWay.shift()
  }

  return {
    async append(report) {
      await check()
      const moment = begin()
      charactersUnderWay += report.body.length
      try {
        await reportLog.append([report])
      } finally {
        end(moment)
        charactersUnderWay -= report.body.length
      }
    },
  }
}

function refusal(reason: string, afterSeconds: number): ApiError {
  return new ApiError('unavailable', `${reason}; nothing was stored, send it again in ${afterSeconds} s`, {
    headers: { 'Retry-After': String(afterSeconds) },
  })
}
