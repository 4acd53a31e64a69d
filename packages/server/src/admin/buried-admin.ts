/**
 * Operator commands on the buried entries of a log.
 * In: the log. Out: views of the entries with the reason. A retried entry goes to the end of its device's queue, as if it
 * had just arrived.
 */

import type { Clock } from '../ports/clock.ts'
import type { BuriedEntry, Log } from '../ports/storage/log.ts'
import { AdminError } from './admin-error.ts'
import { toTime } from './views.ts'

export interface BuriedView {
  /** The entry's seq in the log. A retried entry gets a new one. */
  id: number
  device: string
  /** When the entry was appended to the log. */
  since: string
  buriedAt: string
  reason: string
  /** The text stored in the log. */
  body: string
}

export interface BuriedAdmin {
  /** The first entries, of one device or of all; `isCut` when there are more. */
  list(options: { device?: string | undefined; limit: number }): Promise<{ entries: BuriedView[]; isCut: boolean }>
  /** Retries the entries, if all of them are there; returns their number. @throws AdminError `not_found` */
  retry(ids: number[]): Promise<number>
  /** Retries every entry that is buried now, of one device or of all; returns their number. */
  retryAll(device?: string): Promise<number>
}

const pageSize = 100
/** A retry needs only the seqs. */
const noBody = { characters: 1 }

export function buriedAdmin({ log, clock }: { log: Log; clock: Clock }): BuriedAdmin {
  return {
    async list({ device, limit }) {
      const found = await log.listBuried({ ...(device !== undefined && { queue: device }), limit: limit + 1 })
      return { entries: found.slice(0, limit).map(toView), isCut: found.length > limit }
    },
    async retry(ids) {
      for (const id of ids) {
        const [entry] = await log.listBuried({ afterSeq: id - 1, limit: 1, ...noBody })
        if (entry?.seq !== id)
          throw new AdminError('not_found', `There is no buried entry with the id ${id}; the list shows the ids`)
      }
      return log.unbury(ids)
    },
    async retryAll(device) {
      // Entries that are buried again meanwhile are skipped, or this loop would never end.
      const untilMs = clock.now()
      let retried = 0
      for (let afterSeq = 0; ; ) {
        const queue = device === undefined ? {} : { queue: device }
        const page = await log.listBuried({ ...queue, afterSeq, limit: pageSize, ...noBody })
        const last = page.at(-1)
        if (!last) return retried
        retried += await log.unbury(page.filter(({ buriedAtMs }) => buriedAtMs <= untilMs).map(({ seq }) => seq))
        afterSeq = last.seq
      }
    },
  }
}

function toView({ seq, queue, appendedAtMs, buriedAtMs, reason, body }: BuriedEntry): BuriedView {
  return { id: seq, device: queue, since: toTime(appendedAtMs), buriedAt: toTime(buriedAtMs), reason, body }
}
