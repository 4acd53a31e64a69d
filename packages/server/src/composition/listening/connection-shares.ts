/**
 * Limits the open connections of one address, so that it cannot take all that the process accepts. Further connections
 * of the address are closed.
 * In: a node:http server, over TLS or not. A trusted proxy has no limit: its connections carry the requests of many
 * clients.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from 'proxy-addr'
import { createSlots } from '../../concurrency/slots.ts'
import { addressShares, shareOf } from '../../http/shares.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Settings } from '../../settings/setting-table.ts'

export interface ConnectionSharesOptions {
  settings: Pick<Settings, 'maxConnections' | 'trustProxy'>
  clock: Clock
  logger: Logger
}

const warnEveryMs = 60_000

export function limitConnectionsPerAddress(server: Server, { settings, clock, logger }: ConnectionSharesOptions): void {
  const { maxConnections, trustProxy } = settings
  const isProxy = createIsProxy(trustProxy)
  const connections = createSlots()
  let warnedAtMs = Number.NEGATIVE_INFINITY

  function warn(network: string): void {
    if (clock.now() - warnedAtMs < warnEveryMs) return
    warnedAtMs = clock.now()
    logger.warn({ network }, 'a network has a quarter of --max-connections, so further connections of it are closed')
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // Undefined: the connection is closed already.
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const acquired = connections.acquire(addressShares(remoteAddress, shareOf(maxConnections)))
    if (acquired.kind === 'slots') return void socket.once('close', acquired.release)
    warn(acquired.key)
    socket.destroy()
  })
}

function createIsProxy(trustProxy: Settings['trustProxy']): (address: string) => boolean {
  if (trustProxy === undefined) return () => false
  // With a number of hops, whoever connects is the last one.
  if (typeof trustProxy === 'number') return () => trustProxy > 0
  const isTrusted = proxyAddress.compile(trustProxy)
  return (address) => isTrusted(address, 0)
}
