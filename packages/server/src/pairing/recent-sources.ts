/**
 * Remembers the recent callers for each local ID. A sensor asks from one address, so two addresses cause a warning.
 * In: each call. Out: the recent sources. IDs and sources per ID are limited; sources are hashes, not addresses.
 */
import { LRUCache } from 'lru-cache'
import { networkOf } from '../http/throttle.ts'
import type { Clock } from '../ports/clock.ts'
import { hashSecret } from '../secrets.ts'

/** Limit of sources per local ID. Further sources are ignored. */
export const maxSources = 8

export interface RecentSources {
  /** Adds the caller, unless the ID already has `maxSources` sources. Returns all sources of the local ID. */
  record(localId: string, address: string): string[]
}

export interface RecentSourcesOptions {
  clock: Clock
  /** How long a source is remembered after its last call. */
  forMs: number
  /** Limit of local IDs; the least recently requested one is removed first. Default 10_000. */
  maxIds?: number
}

export function createRecentSources({ clock, forMs, maxIds = 10_000 }: RecentSourcesOptions): RecentSources {
  /** Key: local ID. Value: the time of the last call of each source. */
  const ids = new LRUCache<string, Map<string, number>>({ max: maxIds })

  return {
    record(localId, address) {
      const source = toSource(localId, address)
      const now = clock.now()
      const sources = ids.get(localId) ?? new Map<string, number>()
      for (const [earlier, atMs] of sources) if (atMs + forMs <= now) sources.delete(earlier)
      if (sources.has(source) || sources.size < maxSources) sources.set(source, now)
      ids.set(localId, sources)
      return [...sources.keys()]
    },
  }
}

/** A /64: two sensors' owners may be customers in the same /48. */
const ipv6Groups = 4

/** The hash differs for each local ID, so that sources of two requests cannot be compared. */
function toSource(localId: string, address: string): string {
  return hashSecret(`${localId} ${networkOf(address, ipv6Groups)}`).slice(0, 16)
}
