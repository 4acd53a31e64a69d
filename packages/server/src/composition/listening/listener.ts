/**
 * The HTTP server: TLS, timeouts for slow clients, a limit of connections, and a shutdown that completes running
 * requests.
 * In: a certificate, host and port. Out: a node:http server and its shutdown; SettingsError for a certificate or
 * address that cannot be used.
 */
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { SettingsError } from '../../errors.ts'
import { delayContinue } from '../../http/body/expect-continue.ts'
import { gatherPieces } from '../../http/body/gather-pieces.ts'
import { isTooMuchUnread } from '../../http/body/unread-body.ts'
import { answerClientErrors } from '../../http/errors/client-errors.ts'
import { writeAnswer } from '../../http/operation/answer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Settings } from '../../settings/setting-table.ts'
import type { Certificate } from './certificate.ts'
import { answerOneAtATime } from './one-at-a-time.ts'
import { closeStalledConnections } from './stalled-connections.ts'

export interface ListenerOptions {
  /** Default: none, which means plain HTTP. */
  certificate?: Certificate | undefined
  /** Further connections are closed. */
  maxConnections: number
  clock: Clock
  /** Timeout for the headers of a request, from the connection or the request's first byte. Default 5_000. */
  headersMs?: number
  /** Timeout for a request with its body. Default 10_000. */
  requestMs?: number
  /** Timeout for the TLS handshake. Default 10_000. */
  handshakeMs?: number
}

export interface Listener {
  server: http.Server
  /**
   * Shuts the server down: completes requests in flight, closes keep-alive connections, accepts no new connections.
   * @param noticeMs New connections are still accepted for this time, until load balancers have noticed `/readyz`.
   */
  drain(noticeMs: number): Promise<void>
}

/** Answers requests until `openFor` is called. */
const starting: http.RequestListener = (_request, response) => {
  writeAnswer(response, { status: 503, headers: { 'Retry-After': '1' }, text: '' })
}

export function createListener({
  certificate,
  maxConnections,
  clock,
  headersMs = 5_000,
  requestMs = 10_000,
  handshakeMs = 10_000,
}: ListenerOptions): Listener {
  const limits: http.ServerOptions = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headersMs / 5,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    // `http/guard.ts` refuses a request without Host, with a problem document.
    requireHostHeader: false,
  }
  const server = certificate
    ? createSecure({ ...limits, handshakeTimeout: handshakeMs }, certificate)
    : http.createServer(limits)
  server.maxConnections = maxConnections
  // Node would silently drop headers beyond a count, such as a second Host. `maxHeaderSize` limits them instead.
  server.maxHeadersCount = 0
  answerClientErrors(server)
  delayContinue(server)
  gatherPieces(server)
  closeStalledConnections(server, clock)
  const responses = trackResponses(server)
  server.on('request', starting)
  return { server, drain: (noticeMs) => drain({ server, responses }, clock, noticeMs) }
}

function createSecure(limits: https.ServerOptions, { cert, key }: Certificate): http.Server {
  try {
    return https.createServer({ ...limits, cert, key, minVersion: 'TLSv1.2' })
  } catch (cause) {
    throw new SettingsError(`The TLS certificate cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

/** Lets the app answer requests from now on. */
export function openFor(listener: http.Server, app: http.RequestListener): void {
  listener.off('request', starting)
  listener.on('request', answerOneAtATime(app))
}

/** Resolves with the port. */
export function listen(listener: http.Server, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  return new Promise((listening, reject) => {
    listener.once('error', (cause) =>
      reject(new SettingsError(`Cannot listen on "${host}" port ${port}: ${toListenReason(cause)}`, { cause })),
    )
    listener.listen(port, host, () => {
      // A server that listens on TCP has an AddressInfo.
      const address = listener.address() as AddressInfo
      listening(address.port)
    })
  })
}

/** Key: a connection. Value: its response in flight. */
type Responses = Map<Socket, http.ServerResponse | undefined>

/**
 * The map is keyed by connection, because connections are long-lived: a set of responses would keep ended responses in
 * V8's old generation until the next full collection.
 */
function trackResponses(server: http.Server): Responses {
  const responses: Responses = new Map()
  server.on('request', (request, response) => {
    const { socket } = request
    if (!responses.has(socket)) socket.once('close', () => responses.delete(socket))
    responses.set(socket, response)
    response.once('close', () => {
      if (responses.get(socket) === response) responses.set(socket, undefined)
      // An answer that was not written by `writeAnswer`, such as that of a preflight. node:http would read the body to
      // its end.
      if (!socket.writableEnded && isTooMuchUnread(request)) socket.destroy()
    })
  })
  return responses
}

/** Requests that still run after this time are aborted, so that the process ends within 10 s. */
const drainMs = 6_000
/** Requests get at least this time after the notice. */
const minDrainMs = 3_000

async function drain(
  { server, responses }: { server: http.Server; responses: Responses },
  clock: Clock,
  noticeMs: number,
): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  for (const response of responses.values()) {
    if (response && !response.headersSent) response.setHeader('Connection', 'close')
  }
  if (noticeMs > 0) await clock.sleep(noticeMs)
  const closed = new Promise<void>((done) => server.close(() => done()))
  const waiting = new AbortController()
  await Promise.race([closed, clock.sleep(Math.max(drainMs - noticeMs, minDrainMs), waiting.signal)])
  waiting.abort()
  server.closeAllConnections()
}

function toListenReason({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return 'another program uses it, perhaps an earlier server; stop it, or give another --port'
  if (code === 'EACCES') return 'this user may not use it; give a --port from 1024 on'
  return message
}
