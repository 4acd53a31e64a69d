/**
 * Which bodies stand beside, of what this process has leased.
 * In: leases, with the names of their entries' bodies. Out: the names again, for whoever keeps a body on, and for the end of
 * the lease, so that nobody has to ask Redis.
 */
import type { Lease } from '../../ports/log.ts'

export interface HeldNames {
  add(lease: Pick<Lease, 'line' | 'fence'>, names: ReadonlyMap<number, string>): void
  find(line: string, seq: number): string | undefined
  /** Of those that are accepted, at the end of the lease; undefined for a lease that is not known here. */
  take(lease: Pick<Lease, 'line' | 'fence'>, accepted: number[]): string[] | undefined
}

export function createHeldNames(): HeldNames {
  /** One lease per line: the last one, where an earlier one was never settled. */
  const held = new Map<string, { fence: number; names: ReadonlyMap<number, string> }>()

  return {
    add({ line, fence }, names) {
      held.set(line, { fence, names })
    },
    find: (line, seq) => held.get(line)?.names.get(seq),
    take({ line, fence }, accepted) {
      const found = held.get(line)
      if (found?.fence !== fence) return undefined
      held.delete(line)
      return accepted.flatMap((seq) => found.names.get(seq) ?? [])
    },
  }
}
