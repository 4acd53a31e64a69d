/**
 * The listening socket: TLS, limits on slow senders, and an end that loses no answer.
 * In: a certificate, where to listen. Out: an HTTP server; SettingsError for what cannot be used.
 */
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificate.ts'
import { SettingsError } from './errors.ts'
import type { Clock } from './ports/clock.ts'
import type { Settings } from './settings.ts'

/** Slow senders are cut off: headers within 5 s, the whole request within 10 s. */
const limits: http.ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}

/** Until the app is there it answers 503. Without a certificate it speaks plain HTTP. */
export function createListener(certificate: Certificate | undefined): http.Server {
  const starting: http.RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1' }).end()
  }
  if (!certificate) return http.createServer(limits, starting)
  try {
    return https.createServer(
      { ...limits, cert: certificate.cert, key: certificate.key, minVersion: 'TLSv1.2' },
      starting,
    )
  } catch (cause) {
    throw new SettingsError(`The TLS certificate cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

/** Resolves with the port. */
export function listen(listener: http.Server, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  return new Promise((listening, reject) => {
    listener.once('error', (cause) =>
      reject(new SettingsError(`Cannot listen on "${host}" port ${port}: ${cause.message}`, { cause })),
    )
    listener.listen(port, host, () => {
      // Listening on TCP, as here, gives an AddressInfo.
      const address = listener.address() as AddressInfo
      listening(address.port)
    })
  })
}

/** Requests that are still running then are cut off, so that the process ends within 10 s. */
const drainMs = 6_000

/** Answers what is in flight, tells keep-alive clients to go, takes no new connection. */
export async function drain(listener: http.Server, clock: Clock): Promise<void> {
  listener.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  const closed = new Promise<void>((done) => listener.close(() => done()))
  const waiting = new AbortController()
  await Promise.race([closed, clock.sleep(drainMs, waiting.signal)])
  waiting.abort()
  listener.closeAllConnections()
}
