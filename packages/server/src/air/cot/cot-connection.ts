/**
 * One connection to a TAK server or client, over TCP or TLS.
 * In: where, and certificates. Out: a function that writes as fast as the other side takes it. What it sends is
 * discarded.
 */
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import type { Clock } from '../../ports/clock.ts'

export interface CotAddress {
  host: string
  port: number
  isTls: boolean
}

/** PEM texts. */
export interface CotCertificates {
  /** Of the authority that signed the server's certificate. Default: the public authorities. */
  ca?: string | undefined
  /** Of this client, with its key. */
  cert?: string | undefined
  key?: string | undefined
}

export interface CotConnection {
  /** Rejects when the connection has closed, or the other side has taken nothing for 30 s. */
  write(text: string): Promise<void>
  /** Aborted when the connection has closed. */
  closed: AbortSignal
  close(): void
}

const connectMs = 10_000
const stalledMs = 30_000

/** @throws Error when there is no connection within 10 s. */
export async function connectCot(
  address: CotAddress,
  certificates: CotCertificates,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<CotConnection> {
  signal.throwIfAborted()
  const socket = open(address, certificates)
  const closed = new AbortController()
  let failure = new Error('The connection was closed by the other side')
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('close', () => closed.abort())
  const give = (error: Error) => {
    failure = error
    socket.destroy()
  }
  const onAbort = () => give(new Error('The server is stopping'))
  signal.addEventListener('abort', onAbort, { once: true })
  closed.signal.addEventListener('abort', () => signal.removeEventListener('abort', onAbort))
  await within(connectMs, once(socket, address.isTls ? 'secureConnect' : 'connect', { signal: closed.signal }))
  socket.setKeepAlive(true, stalledMs)
  socket.resume()

  return {
    async write(text) {
      if (closed.signal.aborted) throw failure
      if (!socket.write(text)) await within(stalledMs, once(socket, 'drain', { signal: closed.signal }))
    },
    closed: closed.signal,
    close: () => void socket.end(),
  }

  /** Rejects with the reason of the failure, also after the time. */
  async function within(ms: number, event: Promise<unknown>): Promise<void> {
    const done = new AbortController()
    const late = clock.sleep(ms, done.signal).then(() => {
      if (!done.signal.aborted) give(new Error(`Nothing happened for ${ms / 1_000} s`))
    })
    try {
      await event
    } catch {
      throw failure
    } finally {
      done.abort()
      await late
    }
  }
}

function open({ host, port, isTls }: CotAddress, { ca, cert, key }: CotCertificates): Socket {
  if (!isTls) return net.connect({ host, port })
  // Server name indication has no addresses.
  const servername = net.isIP(host) === 0 ? { servername: host } : {}
  return tls.connect({
    host,
    port,
    minVersion: 'TLSv1.2',
    ...servername,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  })
}
