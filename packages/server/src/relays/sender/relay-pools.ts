/**
 * Keeps connections to relays, by origin. An idle connection is closed after 10 s, so that thousands of relays do not
 * each hold a socket. The caller limits the connections per origin.
 */
import { type buildConnector, Client } from 'undici'

export interface RelayPools {
  /** Returns a connection that is not in use. A new one connects with its first message. */
  take(origin: string): PooledConnection
  /** Returns a connection that can be used again. */
  putBack(connection: PooledConnection): void
  /** Closes the connection; a message in flight fails. */
  drop(connection: PooledConnection): void
  close(): Promise<void>
}

export interface PooledConnection {
  readonly origin: string
  readonly client: Client
  /** Fires after `connectionAgeMs`: closes an idle connection at once, and one in use when it is put back. */
  readonly aging: NodeJS.Timeout
  isOld: boolean
  /**
   * The first error of its socket. undici replaces an alert of TLS, which comes with the end of the connection, by
   * "other side closed".
   */
  socketError: Error | undefined
}

export interface RelayPoolsOptions {
  connect: buildConnector.connector
  /** Limit of idle connections. Above it, a connection of the least recently used origin is closed. Default 512. */
  maxIdle?: number
  /** Limit of a connection's age, whatever `Keep-Alive` says; the next one resolves the name again. */
  connectionAgeMs: number
}

const idleMs = 10_000

export function createRelayPools({ connect, maxIdle = 512, connectionAgeMs }: RelayPoolsOptions): RelayPools {
  const connections = new Set<PooledConnection>()
  /** Key: origin. The most recently used origin is last, and so is the most recently used connection of each origin. */
  const idle = new Map<string, PooledConnection[]>()
  let idleCount = 0

  function open(origin: string): PooledConnection {
    const client = new Client(origin, {
      connect(options, callback) {
        connection.socketError = undefined
        connect(options, (error, socket) => {
          if (error) return callback(error, null)
          socket.once('error', (first) => {
            connection.socketError = first
          })
          callback(null, socket)
        })
      },
      // With HTTP/2, messages of several devices would fail together with one connection.
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: connectionAgeMs,
      // The sender has one deadline for all phases.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const aging = setTimeout(() => {
      connection.isOld = true
      dropIdle(connection)
    }, connectionAgeMs).unref()
    const connection: PooledConnection = { origin, client, aging, isOld: false, socketError: undefined }
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
      // `drop` or `close` may have closed it.
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
    async close() {
      idle.clear()
      idleCount = 0
      await Promise.all([...connections].map(close))
    },
  }
}
