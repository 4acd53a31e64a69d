/**
 * Remembers the recent callers for each local ID. A sensor asks from one address, so two addresses cause a warning.
 * In: each call. Out: the recent sources. IDs and sources per ID are limited; sources are hashes, not addresses.
 */
import { createHash } from 'node:crypto'
import { toCaller } from '../http/throttle.ts'
import type { Clock } from '../ports/clock.ts'

/** Further sources are not counted. */
export const maxSources = 8

export interface RecentSources {
  /** Adds the caller, unless the ID already has `maxSources` sources. Returns all sources of the local ID. */
  record(localId: string, address: string): string[]
}

export interface RecentSourcesOptions {
  clock: Clock
  forMs: number
  /** Limit of local IDs; the least recently requested one is removed first. Default 10_000. */
  maxIds?: number
}

export function createRecentSources({ clock, forMs, maxIds = 10_000 }: RecentSourcesOptions): RecentSources {
  /** The time of each source's last call, by local ID. Insertion order is the order of the last calls. */
  const ids = new Map<string, Map<string, number>>()

  return {
    record(localId, address) {
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

/** The hash differs for each local ID, so that sources of two requests cannot be compared. */
function toSource(localId: string, address: string): string {
  return createHash('sha256')
    .update(`${localId} ${toCaller(address)}`)
    .digest('base64url')
    .slice(0, 16)
}
