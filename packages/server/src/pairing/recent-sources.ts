/**
 * Who asked for a local ID lately, in this process: a sensor asks from one place, so that two are worth a warning.
 * In: each call. Out: the sources of the last minute. Bounded: some local IDs, a few sources each, and no addresses.
 */
import { createHash } from 'node:crypto'
import { toCaller } from '../http/throttle.ts'
import type { Clock } from '../ports/clock.ts'

/** More are not told apart. */
export const maxSources = 8

export interface RecentSources {
  /** Answers all sources of this local ID, this one among them unless there are `maxSources` others. */
  note(localId: string, address: string): string[]
}

export interface RecentSourcesOptions {
  clock: Clock
  forMs: number
  /** Local IDs kept at a time; those that were asked for longest ago go first. Default 10_000. */
  maxIds?: number
}

export function createRecentSources({ clock, forMs, maxIds = 10_000 }: RecentSourcesOptions): RecentSources {
  /** Per local ID, when each source came last. The order of insertion is that of the last call. */
  const ids = new Map<string, Map<string, number>>()

  return {
    note(localId, address) {
      const source = toSource(localId, address)
      const now = clock.now()
      const seen = ids.get(localId) ?? new Map<string, number>()
      for (const [earlier, atMs] of seen) if (atMs + forMs <= now) seen.delete(earlier)
      if (seen.has(source) || seen.size < maxSources) seen.set(source, now)
      ids.delete(localId)
      ids.set(localId, seen)
      if (ids.size > maxIds) for (const oldest of [...ids.keys()].slice(0, ids.size - maxIds)) ids.delete(oldest)
      return [...seen.keys()]
    },
  }
}

/** Different for each local ID, so that it says nothing beyond the one request that it is kept with. */
function toSource(localId: string, address: string): string {
  return createHash('sha256')
    .update(`${localId} ${toCaller(address)}`)
    .digest('base64url')
    .slice(0, 16)
}
