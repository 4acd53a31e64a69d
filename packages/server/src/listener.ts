/**
 * The listening socket: TLS, limits on slow senders and on connections, and an end that loses no answer.
 * In: a certificate, where to listen. Out: an HTTP server; SettingsError for what cannot be used.
 */
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Certificate } from './certificate.ts'
import { SettingsError } from './errors.ts'
import { answerRefusedRequests } from './http/refused-request.ts'
import type { Clock } from './ports/clock.ts'
import type { Settings } from './setting-table.ts'

export interface ListenerOptions {
  /** None = plain HTTP. */
  certificate?: Certificate | undefined
  /** More are closed as they come. */
  maxConnections: number
  /** From the first byte of a request, or the connection, to the end of its headers. Default 5_000. */
  headersMs?: number
  /** To the end of its body. Default 10_000. */
  requestMs?: number
}

/** Until there is an app. */
const starting: http.RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1' }).end()
}

export function createListener({
  certificate,
  maxConnections,
  headersMs = 5_000,
  requestMs = 10_000,
}: ListenerOptions): http.Server {
  const limits: http.ServerOptions = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headersMs / 5,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    // A request without Host is refused by `http/guard.ts`, with a problem.
    requireHostHeader: false,
  }
  const server = certificate ? createSecure(limits, certificate) : http.createServer(limits)
  server.maxConnections = maxConnections
  // Node would leave out what is beyond a number of headers, the second of two Hosts among them; their size is limited.
  server.maxHeadersCount = 0
  answerRefusedRequests(server)
  noteUnderWay(server)
  server.on('request', starting)
  return server
}

function createSecure(limits: http.ServerOptions, { cert, key }: Certificate): http.Server {
  try {
    return https.createServer({ ...limits, cert, key, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 })
  } catch (cause) {
    throw new SettingsError(`The TLS certificate cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

/** From now on the app answers. */
export function openFor(listener: http.Server, app: http.RequestListener): void {
  listener.off('request', starting)
  listener.on('request', app)
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

/** Per server, each connection's answer that is not complete. */
const underWay = new WeakMap<http.Server, Map<Socket, http.ServerResponse | undefined>>()

/**
 * Connections are the keys, since they stay: of a set to which each answer came and went, V8 would keep the old tables,
 * and with them the answers, until it collects the whole heap.
 */
function noteUnderWay(server: http.Server): void {
  const answers = new Map<Socket, http.ServerResponse | undefined>()
  underWay.set(server, answers)
  server.on('request', ({ socket }, response) => {
    if (!answers.has(socket)) socket.once('close', () => answers.delete(socket))
    answers.set(socket, response)
    response.once('close', () => {
      if (answers.get(socket) === response) answers.set(socket, undefined)
    })
  })
}

/** Requests that are still running then are cut off, so that the process ends within 10 s. */
const drainMs = 6_000
/** What requests have after a notice, however long that is. */
const afterNoticeMs = 3_000

/**
 * Answers what is in flight, tells keep-alive clients to go, takes no new connection.
 * @param noticeMs How long connections are still taken, for load balancers to find out that there is nothing to send here.
 */
export async function drain(listener: http.Server, clock: Clock, noticeMs: number): Promise<void> {
  listener.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  for (const response of underWay.get(listener)?.values() ?? []) {
    if (response && !response.headersSent) response.setHeader('Connection', 'close')
  }
  if (noticeMs > 0) await clock.sleep(noticeMs)
  const closed = new Promise<void>((done) => listener.close(() => done()))
  const waiting = new AbortController()
  await Promise.race([closed, clock.sleep(Math.max(drainMs - noticeMs, afterNoticeMs), waiting.signal)])
  waiting.abort()
  listener.closeAllConnections()
}
