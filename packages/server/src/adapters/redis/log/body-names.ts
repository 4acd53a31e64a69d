/**
 * Names for large report bodies, which have their own keys; the log entry has only the name. This saves time: Redis copies and
 * reads a body that is an argument of a script, but not a value that is written by a plain command.
 */
import { randomBytes } from 'node:crypto'
import type { EntryText } from '../../../ports/storage/entry-text.ts'
import type { Lease } from '../../../ports/storage/log.ts'

/** In bytes. For a shorter body, a separate key costs more time than it saves. */
const largeFrom = 2 * 1024

export function isLarge(body: EntryText): boolean {
  return body.length >= largeFrom
}

/** Creates unique names. Each ends with the size of its body, so that a script can limit what it reads. */
export function createBodyNames(): (bytes: number) => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return (bytes) => `${process}.${++count}:${bytes}`
}

/** Remembers the body names of leased entries, so that they need not be read from Redis again when the lease ends. */
export interface LeasedNames {
  add(lease: Pick<Lease, 'queue' | 'fence'>, names: ReadonlyMap<number, string>): void
  find(queue: string, seq: number): string | undefined
  /** Removes the lease. Returns the names of the bodies of its accepted entries; undefined for an unknown lease. */
  take(lease: Pick<Lease, 'queue' | 'fence'>, accepted: number[]): string[] | undefined
}

export function createLeasedNames(): LeasedNames {
  /** The latest lease of each device: an earlier one may never have been settled. */
  const leases = new Map<string, { fence: number; names: ReadonlyMap<number, string> }>()

  return {
    add({ queue, fence }, names) {
      leases.set(queue, { fence, names })
    },
    find: (queue, seq) => leases.get(queue)?.names.get(seq),
    take({ queue, fence }, accepted) {
      const found = leases.get(queue)
      if (found?.fence !== fence) return undefined
      leases.delete(queue)
      return accepted.flatMap((seq) => found.names.get(seq) ?? [])
    },
  }
}
