/**
 * Large bodies of reports have keys of their own; their entries only name them. Redis copies a body that passes through a
 * script, and reads each of its bytes, once per script; it takes a plain value without either.
 */
import { randomBytes } from 'node:crypto'
import type { EntryText } from '../../../ports/entry-text.ts'
import type { Lease } from '../../../ports/log.ts'

/** A key costs more than a shorter body. */
const largeFrom = 2 * 1024

export function isLarge(body: EntryText): boolean {
  return body.length >= largeFrom
}

/** Makes names that no process gives twice. Each ends in the size of its body, so that a script can limit what it reads. */
export function createBodyNames(): (bytes: number) => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return (bytes) => `${process}.${++count}:${bytes}`
}

/** The names of the bodies that this process has leased, so that nothing has to be asked of Redis when the lease ends. */
export interface LeasedNames {
  add(lease: Pick<Lease, 'line' | 'fence'>, names: ReadonlyMap<number, string>): void
  find(line: string, seq: number): string | undefined
  /** Forgets the lease. Answers the names of its accepted entries; undefined for an unknown lease. */
  take(lease: Pick<Lease, 'line' | 'fence'>, accepted: number[]): string[] | undefined
}

export function createLeasedNames(): LeasedNames {
  /** The latest lease of each device: an earlier one may never have been settled. */
  const leases = new Map<string, { fence: number; names: ReadonlyMap<number, string> }>()

  return {
    add({ line, fence }, names) {
      leases.set(line, { fence, names })
    },
    find: (line, seq) => leases.get(line)?.names.get(seq),
    take({ line, fence }, accepted) {
      const found = leases.get(line)
      if (found?.fence !== fence) return undefined
      leases.delete(line)
      return accepted.flatMap((seq) => found.names.get(seq) ?? [])
    },
  }
}
