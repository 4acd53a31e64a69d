/**
 * What was set aside in a log, with the reason, as an operator works on it.
 * In: the log. Out: views of what was buried, and the way to take it up again: at the tail of its device's line, as if it came now.
 */

import type { Clock } from '../ports/clock.ts'
import type { BuriedEntry, Log } from '../ports/log.ts'
import { AdminError } from './admin-error.ts'
import { toTime } from './views.ts'

export interface BuriedView {
  /** What it is called here; it gets another one when it is taken up again. */
  id: number
  device: string
  /** When it came into the log. */
  since: string
  buriedAt: string
  reason: string
  /** As the log keeps it. */
  body: string
}

export interface BuriedAdmin {
  /** The first that are there, of one device or of all; `isCut` when there are more. */
  list(options: { device?: string | undefined; limit: number }): Promise<{ entries: BuriedView[]; isCut: boolean }>
  /** All of them or none. Returns how many were taken up. @throws AdminError `not_found` */
  retry(ids: number[]): Promise<number>
  /** What is buried by now, of one device or of all. Returns how many were taken up. */
  retryAll(device?: string): Promise<number>
}

const atOnce = 500

export function buriedAdmin({ log, clock }: { log: Log; clock: Clock }): BuriedAdmin {
  return {
    async list({ device, limit }) {
      const found = await log.listBuried({ ...(device !== undefined && { line: device }), limit: limit + 1 })
      return { entries: found.slice(0, limit).map(toView), isCut: found.length > limit }
    },
    async retry(ids) {
      for (const id of ids) {
        const [entry] = await log.listBuried({ afterSeq: id - 1, limit: 1 })
        if (entry?.seq !== id)
          throw new AdminError('not_found', `Nothing that is buried has the id ${id}; list it to see the ids`)
      }
      return log.unbury(ids)
    },
    async retryAll(device) {
      // What is buried again meanwhile is left: it would come round for ever.
      const untilMs = clock.now()
      let taken = 0
      for (let afterSeq = 0; ; ) {
        const page = await log.listBuried({ ...(device !== undefined && { line: device }), afterSeq, limit: atOnce })
        const last = page.at(-1)
        if (!last) return taken
        taken += await log.unbury(page.filter(({ buriedAtMs }) => buriedAtMs <= untilMs).map(({ seq }) => seq))
        afterSeq = last.seq
      }
    },
  }
}

function toView({ seq, line, appendedAtMs, buriedAtMs, reason, body }: BuriedEntry): BuriedView {
  return { id: seq, device: line, since: toTime(appendedAtMs), buriedAt: toTime(buriedAtMs), reason, body }
}
