/**
 * A fetch that follows the network rules of the specification (Device authentication, 6 and 7): TLS 1.2 or newer; the name of the
 * service is resolved with a fresh DNS query, no connection is used after the answer's TTL, and no address is stored.
 * In: requests. Out: responses. When the TTL ends, or a request fails, the next request asks DNS again and opens a new connection.
 */
import { isIP, type LookupFunction } from 'node:net'
import * as tls from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import { type Clock, type Fetch, systemClock } from '../ports.ts'
import { type HostAddress, resolveHost } from './resolve-host.ts'

export interface NetworkOptions {
  /** PEM text of a private CA to trust in addition to the public ones and those of `NODE_EXTRA_CA_CERTS`. */
  ca?: string
  /** Addresses of name servers, such as `192.0.2.1` or `127.0.0.1:5353`. Default: those of the system. */
  nameServers?: readonly string[]
  clock?: Clock
}

export interface Network {
  /** Reads the whole response, at most 64 MiB. Redirects are not followed. */
  fetch: Fetch
  /** Closes the connections when their requests have ended. A later request opens new ones. */
  close(): Promise<void>
}

/** The connections to one host, at the addresses of one DNS answer. */
interface Connections {
  pool: Agent
  inFlight: number
  /** End of the answer's TTL. */
  untilMs: number
}

const maxResponseBytes = 64 * 1_024 * 1_024
/** Idle connections are closed after this time, or after their TTL if that is shorter. */
const defaultIdleMs = 4_000
/** The same when the service says how long it keeps idle connections. */
const maxIdleMs = 60_000

export function createNetwork({ ca, nameServers, clock = systemClock }: NetworkOptions = {}): Network {
  const trusted = ca === undefined ? {} : { ca: [...defaultCas(), ca] }
  const open = new Map<string, Connections>()
  const opening = new Map<string, Promise<Connections>>()

  return {
    async fetch(request) {
      const { hostname } = new URL(request.url)
      const connections = await connectionsTo(hostname)
      connections.inFlight += 1
      const answer = exchange(request, connections.pool)
      // Nobody waits for it any more after an abort.
      answer.catch(() => undefined)
      try {
        const response = await unlessAborted(answer, request.signal)
        connections.inFlight -= 1
        return response
      } catch (error) {
        connections.inFlight -= 1
        // The address may have changed, so the next request asks DNS again.
        forget(hostname, connections)
        throw error
      }
    },
    async close() {
      const pools = [...open.values()].map(({ pool }) => pool)
      open.clear()
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }

  async function connectionsTo(host: string): Promise<Connections> {
    const current = open.get(host)
    if (current && clock.now() < current.untilMs) return current
    if (current) forget(host, current)
    const started = opening.get(host) ?? resolve(host).finally(() => opening.delete(host))
    opening.set(host, started)
    return started
  }

  async function resolve(host: string): Promise<Connections> {
    // An address needs no look-up, and the socket makes none.
    const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0
    const found = isAddress ? undefined : await resolveHost(host, { nameServers })
    const connect = { minVersion: 'TLSv1.2', ...trusted, ...(found && { lookup: toLookup(found.addresses) }) } as const
    const idleMs = Math.max(1, Math.min(maxIdleMs, found?.ttlMs ?? maxIdleMs))
    const connections = {
      inFlight: 0,
      pool: new Agent({
        connect,
        keepAliveMaxTimeout: idleMs,
        keepAliveTimeout: Math.min(defaultIdleMs, idleMs),
        maxResponseSize: maxResponseBytes,
      }),
      untilMs: found ? clock.now() + found.ttlMs : Number.POSITIVE_INFINITY,
    }
    open.set(host, connections)
    return connections
  }

  function forget(host: string, connections: Connections): void {
    if (open.get(host) === connections) open.delete(host)
    // Other requests may end; what the last one left, such as a connection that nobody answers, is closed at once.
    const closing = connections.inFlight > 0 ? connections.pool.close() : connections.pool.destroy()
    // A failure is told to the callers of the requests.
    void closing.catch(() => undefined)
  }
}

/** undici's request needs a third of its fetch's processor time. It follows no redirect. */
async function exchange(request: Request, pool: Agent): Promise<Response> {
  const { url, method, signal } = request
  const { origin, pathname, search } = new URL(url)
  const answer = await pool.request({
    origin,
    path: pathname + search,
    // The methods of a Request are those of undici.
    method: method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(request.headers),
    body: method === 'GET' || method === 'HEAD' ? null : new Uint8Array(await request.arrayBuffer()),
    signal,
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const body = decode(await answer.body.bytes(), headers.get('content-encoding'))
  // A Response of a status such as 204 allows no body.
  return new Response(body.length === 0 ? null : body, { status: answer.statusCode, headers })
}

/** undici notices an abort only when the connection is open, and a black hole never opens one. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function decode(bytes: Uint8Array, encoding: string | null): Uint8Array<ArrayBuffer> {
  if (bytes.length === 0 || encoding !== 'gzip') return new Uint8Array(bytes)
  return new Uint8Array(gunzipSync(bytes, { maxOutputLength: maxResponseBytes }))
}

/** Answers with the addresses of the DNS query, so that the socket makes no other look-up. */
function toLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

function defaultCas(): readonly string[] {
  // Before Node 22.15 there is only the bundled list.
  return typeof tls.getCACertificates === 'function' ? tls.getCACertificates('default') : tls.rootCertificates
}
