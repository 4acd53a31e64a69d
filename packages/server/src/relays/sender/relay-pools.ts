/**
 * Connections to relays, by origin: reused for 10 s after a message, then closed, so that thousands of relays do not hold
 * a socket each. The caller limits how many an origin has at the same time.
 */
import { type buildConnector, Client } from 'undici'

export interface RelayPools {
  /** A connection that nothing else uses; a new one connects with its first message. */
  take(origin: string): PooledConnection
  /** Returns a connection that can be used again. */
  putBack(connection: PooledConnection): void
  /** Closes the connection; what it is sending fails. */
  drop(connection: PooledConnection): void
  /** How many connections there are, in use or not. */
  size(): number
  close(): Promise<void>
}

export interface PooledConnection {
  readonly origin: string
  readonly client: Client
  /** Closes it after `oldestMs`, or once it is no longer in use. */
  readonly aging: NodeJS.Timeout
  isOld: boolean
}

export interface RelayPoolsOptions {
  connect: buildConnector.connector
  /** Most idle connections; beyond that, one of the least recently used origin is closed. Default 512. */
  maxIdle?: number
  /** The connection is closed then, and the name resolved again, whatever `Keep-Alive` says. Default 30_000. */
  oldestMs?: number
}

const idleMs = 10_000

export function createRelayPools({ connect, maxIdle = 512, oldestMs = 30_000 }: RelayPoolsOptions): RelayPools {
  const connections = new Set<PooledConnection>()
  /** By origin; the most recently used origin, and its most recently used connection, last. */
  const idle = new Map<string, PooledConnection[]>()
  let idleCount = 0

  function open(origin: string): PooledConnection {
    const client = new Client(origin, {
      connect,
      // With HTTP/2, messages of several devices would fail together with one connection.
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: oldestMs,
      // The sender has one deadline for all phases.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const aging = setTimeout(() => {
      connection.isOld = true
      dropIdle(connection)
    }, oldestMs).unref()
    const connection: PooledConnection = { origin, client, aging, isOld: false }
    client.on('disconnect', () => dropIdle(connection))
    connections.add(connection)
    return connection
  }

  function removeIdle(connection: PooledConnection): boolean {
    const ofOrigin = idle.get(connection.origin) ?? []
    const index = ofOrigin.indexOf(connection)
    if (index < 0) return false
    ofOrigin.splice(index, 1)
    if (ofOrigin.length === 0) idle.delete(connection.origin)
    idleCount--
    return true
  }

  function dropIdle(connection: PooledConnection): void {
    if (removeIdle(connection)) void close(connection)
  }

  async function close(connection: PooledConnection): Promise<void> {
    clearTimeout(connection.aging)
    if (connections.delete(connection)) await connection.client.destroy()
  }

  return {
    drop: (connection) => void close(connection),
    take(origin) {
      const connection = idle.get(origin)?.at(-1)
      if (!connection) return open(origin)
      removeIdle(connection)
      return connection
    },
    putBack(connection) {
      // It may have been closed meanwhile.
      if (!connections.has(connection)) return
      if (connection.isOld) return void close(connection)
      const ofOrigin = idle.get(connection.origin) ?? []
      ofOrigin.push(connection)
      idle.delete(connection.origin)
      idle.set(connection.origin, ofOrigin)
      idleCount++
      const [[leastRecent] = []] = idle.values()
      if (idleCount > maxIdle && leastRecent) dropIdle(leastRecent)
    },
    size: () => connections.size,
    async close() {
      idle.clear()
      idleCount = 0
      await Promise.all([...connections].map(close))
    },
  }
}
