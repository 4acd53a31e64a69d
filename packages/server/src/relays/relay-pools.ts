/**
 * Connections to relays, by origin: reused while messages follow each other, closed soon after, so that thousands of
 * relays do not hold a socket each.
 */
import { Pool } from 'undici'

export interface RelayPools {
  /** Runs a request on the pool of the origin. */
  use<T>(origin: string, request: (pool: Pool) => Promise<T>): Promise<T>
  /** How many origins have a pool. */
  size(): number
  close(): Promise<void>
}

export interface RelayPoolsOptions {
  connect: Pool.Options['connect']
  /** Pools kept at a time, beyond those in use; the one that was not used for longest goes first. Default 512. */
  maxIdle?: number
  /** A relay may ask for a longer pause; its name is resolved anew after this in any case. Default 30_000. */
  oldestMs?: number
}

const idleMs = 10_000
const maxConnections = 128

export function createRelayPools({ connect, maxIdle = 512, oldestMs = 30_000 }: RelayPoolsOptions): RelayPools {
  /** The order of insertion is that of the last use. */
  const pools = new Map<string, { pool: Pool; inUse: number }>()

  function get(origin: string): { pool: Pool; inUse: number } {
    const found = pools.get(origin)
    const entry = found ?? {
      inUse: 0,
      pool: new Pool(origin, {
        connect,
        // One kind of connection to reason about: what HTTP/2 multiplexes would share one fate.
        allowH2: false,
        connections: maxConnections,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: oldestMs,
        clientTtl: oldestMs,
      }),
    }
    pools.delete(origin)
    pools.set(origin, entry)
    return entry
  }

  function dropIdle(): void {
    let idle = [...pools.values()].filter(({ inUse }) => inUse === 0).length
    for (const [origin, { pool, inUse }] of pools) {
      if (idle <= maxIdle) return
      if (inUse > 0) continue
      pools.delete(origin)
      idle--
      void pool.destroy()
    }
  }

  return {
    async use(origin, request) {
      const entry = get(origin)
      entry.inUse++
      try {
        return await request(entry.pool)
      } finally {
        entry.inUse--
        if (pools.size > maxIdle) dropIdle()
      }
    },
    size: () => pools.size,
    async close() {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map(({ pool }) => pool.destroy()))
    },
  }
}
