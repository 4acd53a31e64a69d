/**
 * Remembers the sizes of leased entries and the names of their bodies, so that these need not be read from Redis again
 * when the lease ends.
 */
import type { Lease } from '../../../ports/storage/log.ts'
import type { Row } from './log-rows.ts'
import { toBytes } from './log-rows.ts'

type LeaseId = Pick<Lease, 'queue' | 'fence'>

export interface LeasedBodies {
  add(lease: LeaseId, rows: Row[]): void
  /** The name of an entry's body, if it has its own key. */
  findName(queue: string, seq: number): string | undefined
  /** The size of an entry's body, if this process has leased the entry. */
  findBytes(queue: string, seq: number): number | undefined
  /** Removes the lease. Undefined for an unknown lease, or one without these entries. */
  take(lease: LeaseId, accepted: number[]): { sizes: number[]; names: string[] } | undefined
}

interface Bodies {
  fence: number
  sizes: ReadonlyMap<number, number>
  names: ReadonlyMap<number, string>
}

export function createLeasedBodies(): LeasedBodies {
  /** The latest lease of each device: an earlier one may never have been settled. */
  const leases = new Map<string, Bodies>()

  return {
    add({ queue, fence }, rows) {
      leases.set(queue, { fence, sizes: new Map(rows.map((row) => [row.seq, toBytes(row)])), names: toNames(rows) })
    },
    findBytes: (queue, seq) => leases.get(queue)?.sizes.get(seq),
    findName: (queue, seq) => leases.get(queue)?.names.get(seq),
    take({ queue, fence }, accepted) {
      const found = leases.get(queue)
      if (found?.fence !== fence) return undefined
      leases.delete(queue)
      const sizes = accepted.flatMap((seq) => found.sizes.get(seq) ?? [])
      if (sizes.length < accepted.length) return undefined
      return { sizes, names: accepted.flatMap((seq) => found.names.get(seq) ?? []) }
    },
  }
}

function toNames(rows: Row[]): ReadonlyMap<number, string> {
  const named = rows.filter(({ isNamed }) => isNamed)
  return named.length === 0 ? noNames : new Map(named.map(({ seq, text }) => [seq, text]))
}

const noNames: ReadonlyMap<number, string> = new Map()
