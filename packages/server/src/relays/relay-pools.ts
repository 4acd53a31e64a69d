/**
 * Connections to relays, by origin: reused while messages follow each other, closed soon after, so that thousands of
 * relays do not hold a socket each. How many an origin has at a time is up to who takes them.
 */
import type { Socket } from 'node:net'
import { type buildConnector, Client } from 'undici'

export interface RelayPools {
  /** A connection that nobody uses; where there is none it is opened with the first message. */
  take(origin: string): PooledConnection
  /** Another message may go over it. */
  putBack(connection: PooledConnection): void
  /** Nothing goes over it any more. */
  drop(connection: PooledConnection): void
  /** How many connections there are, in use or not. */
  size(): number
  close(): Promise<void>
}

export interface PooledConnection {
  readonly origin: string
  readonly client: Client
  /** The one that was opened last. */
  socket: Socket | undefined
  isOld: boolean
}

export interface RelayPoolsOptions {
  connect: buildConnector.connector
  /** Connections kept at a time, beyond those in use; of the origin that was not used for longest one goes first. Default 512. */
  maxIdle?: number
  /** A relay may ask for a longer pause; its name is resolved anew after this in any case. Default 30_000. */
  oldestMs?: number
}

interface Pool {
  /** The one that was used last comes last. */
  idle: PooledConnection[]
  inUse: number
}

const idleMs = 10_000

export function createRelayPools({ connect, maxIdle = 512, oldestMs = 30_000 }: RelayPoolsOptions): RelayPools {
  /** The order of insertion is that of the last use. */
  const pools = new Map<string, Pool>()
  const closings = new Map<PooledConnection, () => Promise<void>>()
  let latest: Pool | undefined
  let idle = 0

  function use(origin: string): Pool {
    const pool = pools.get(origin) ?? { idle: [], inUse: 0 }
    if (pool !== latest) {
      pools.delete(origin)
      pools.set(origin, pool)
      latest = pool
    }
    pool.inUse++
    return pool
  }

  function open(origin: string): PooledConnection {
    const client = new Client(origin, {
      connect: (options, callback) =>
        connect(options, (...opened) => {
          connection.socket = opened[1] ?? undefined
          callback(...opened)
        }),
      // One kind of connection to reason about: what HTTP/2 multiplexes would share one fate.
      allowH2: false,
      // Messages go one at a time; with 1, each would wait a turn of the event loop longer (see `exchange.ts`).
      pipelining: 2,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: oldestMs,
      // Whoever sends has one deadline for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection: PooledConnection = { origin, client, socket: undefined, isOld: false }
    const aging = setTimeout(() => {
      connection.isOld = true
      dropIdle(connection)
    }, oldestMs)
    aging.unref()
    client.on('disconnect', () => dropIdle(connection))
    closings.set(connection, () => {
      clearTimeout(aging)
      closings.delete(connection)
      return client.destroy()
    })
    return connection
  }

  function end(connection: PooledConnection): void {
    void closings.get(connection)?.()
  }

  /** What was in use is not any more. `undefined` when everything was closed meanwhile. */
  function leave(connection: PooledConnection): Pool | undefined {
    const pool = closings.has(connection) ? pools.get(connection.origin) : undefined
    if (pool) pool.inUse--
    return pool
  }

  function forgetEmpty(origin: string): void {
    const pool = pools.get(origin)
    if (!pool || pool.inUse > 0 || pool.idle.length > 0) return
    pools.delete(origin)
    if (latest === pool) latest = undefined
  }

  /** Unless it is in use. */
  function dropIdle(connection: PooledConnection): void {
    const pool = pools.get(connection.origin)
    const at = pool?.idle.indexOf(connection) ?? -1
    if (!pool || at < 0) return
    pool.idle.splice(at, 1)
    idle--
    forgetEmpty(connection.origin)
    end(connection)
  }

  function dropLongestIdle(): void {
    for (const { idle } of pools.values()) {
      const [first] = idle
      if (!first) continue
      dropIdle(first)
      return
    }
  }

  function drop(connection: PooledConnection): void {
    if (leave(connection)) forgetEmpty(connection.origin)
    end(connection)
  }

  return {
    drop,
    take(origin) {
      const found = use(origin).idle.pop()
      if (!found) return open(origin)
      idle--
      return found
    },
    putBack(connection) {
      if (connection.isOld) return drop(connection)
      const pool = leave(connection)
      if (!pool) return
      pool.idle.push(connection)
      if (++idle > maxIdle) dropLongestIdle()
    },
    size: () => closings.size,
    async close() {
      pools.clear()
      latest = undefined
      idle = 0
      await Promise.all([...closings.values()].map((closeOne) => closeOne()))
    },
  }
}
