/**
 * Operator commands on the buried entries of a log.
 * In: the log. Out: views of the entries with the reason. A retried entry goes to the end of its device's queue, as if
 * it had just arrived. One of an earlier device with the same URN is not retried: it would go to another account.
 */

import type { DeviceRegistry } from '../devices/registry.ts'
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
  /** Retries the entries, if all of them are there; returns their number. @throws AdminError `not_found`, `conflict` */
  retry(ids: number[]): Promise<number>
  /** Retries every entry that is buried now and may be retried, of one device or of all; returns their number. */
  retryAll(device?: string): Promise<number>
}

const pageSize = 100
/** A retry needs only the seqs. */
const noBody = { characters: 1 }

export interface BuriedAdminOptions {
  log: Log
  devices: Pick<DeviceRegistry, 'find' | 'isOfFormerOwner'>
  clock: Clock
}

export function buriedAdmin({ log, devices, clock }: BuriedAdminOptions): BuriedAdmin {
  async function isOfFormerOwner({ queue, appendedAtMs }: BuriedEntry): Promise<boolean> {
    const device = await devices.find(queue)
    return device !== undefined && devices.isOfFormerOwner(device, appendedAtMs)
  }

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
        if (await isOfFormerOwner(entry))
          throw new AdminError(
            'conflict',
            `The entry ${id} is of another account, whose device had the URN "${entry.queue}" before; nothing was retried`,
          )
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
        const isOfFormer = await Promise.all(page.map(isOfFormerOwner))
        const own = page.filter(({ buriedAtMs }, index) => buriedAtMs <= untilMs && !isOfFormer[index])
        retried += await log.unbury(own.map(({ seq }) => seq))
        afterSeq = last.seq
      }
    },
  }
}

function toView({ seq, queue, appendedAtMs, buriedAtMs, reason, body }: BuriedEntry): BuriedView {
  return { id: seq, device: queue, since: toTime(appendedAtMs), buriedAt: toTime(buriedAtMs), reason, body }
}
