/**
 * A fetch that follows the network rules of the specification (Device authentication, 6 and 7): TLS 1.2 or newer; the
 * name of the service is resolved with a fresh DNS query, no connection is used after the answer's TTL, and no address
 * is stored. Through a proxy, the proxy resolves the name, and the connection in its tunnel is TLS as well.
 * In: requests. Out: responses. When the TTL ends, or a request fails, the next request asks DNS again and opens a new
 * connection.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import * as tls from 'node:tls'
import { type Clock, type Fetch, systemClock } from '../ports.ts'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
import { type HostAddress, resolveHost } from './resolve-host.ts'

export interface NetworkOptions {
  /** PEM text of a private CA to trust in addition to the public ones and those of `NODE_EXTRA_CA_CERTS`. */
  ca?: string
  /** Addresses of name servers, such as `192.0.2.1` or `127.0.0.1:5353`. Default: those of the system. */
  nameServers?: readonly string[]
  /** The HTTP proxy for a URL, through which HTTPS requests are sent (CONNECT). Default: none. */
  proxyFor?: (url: URL) => URL | undefined
  clock?: Clock
}

export interface Network {
  fetch: Fetch
  /** Closes the connections when their requests have ended. A later request opens new ones. */
  close(): Promise<void>
}

/** The connections to one host, at the addresses of one DNS answer. */
interface Connections {
  pool: ConnectionPool
  /** End of the answer's TTL. */
  untilMs: number
}

/** Idle connections are closed after this time, or after their TTL if that is shorter. */
const maxIdleMs = 60_000

export function createNetwork({
  ca,
  nameServers,
  proxyFor = () => undefined,
  clock = systemClock,
}: NetworkOptions = {}): Network {
  const trusted = ca === undefined ? {} : { ca: [...defaultCas(), ca] }
  const open = new Map<string, Connections>()
  const opening = new Map<string, Promise<Connections>>()

  return {
    async fetch(request) {
      const url = new URL(request.url)
      const proxy = url.protocol === 'https:' ? proxyFor(url) : undefined
      const host = proxy ? `${url.hostname} through ${proxy.host}` : url.hostname
      const body = new Uint8Array(await request.arrayBuffer())
      const connections = await connectionsTo(host, proxy)
      try {
        return await connections.pool.send(request, body)
      } catch (error) {
        // The address may have changed, so the next request asks DNS again.
        forget(host, connections)
        throw error
      }
    },
    async close() {
      const pools = [...open.values()].map(({ pool }) => pool)
      open.clear()
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }

  async function connectionsTo(host: string, proxy: URL | undefined): Promise<Connections> {
    const current = open.get(host)
    if (current && clock.elapsed() < current.untilMs) return current
    if (current) forget(host, current)
    const started = opening.get(host) ?? resolve(host, proxy).finally(() => opening.delete(host))
    opening.set(host, started)
    return started
  }

  async function resolve(host: string, proxy: URL | undefined): Promise<Connections> {
    if (proxy) {
      const tunnel = await createTunnel(proxy, maxIdleMs)
      const connections = {
        pool: createConnectionPool({ ...trusted, tunnel, idleMs: maxIdleMs }),
        untilMs: Number.POSITIVE_INFINITY,
      }
      open.set(host, connections)
      return connections
    }
    // An address needs no look-up, and the socket makes none.
    const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0
    const found = isAddress ? undefined : await resolveHost(host, { nameServers })
    const connections = {
      pool: createConnectionPool({
        ...trusted,
        ...(found && { lookup: toLookup(found.addresses) }),
        idleMs: Math.max(1, Math.min(maxIdleMs, found?.ttlMs ?? maxIdleMs)),
      }),
      untilMs: found ? clock.elapsed() + found.ttlMs : Number.POSITIVE_INFINITY,
    }
    open.set(host, connections)
    return connections
  }

  function forget(host: string, connections: Connections): void {
    if (open.get(host) === connections) open.delete(host)
    // It resolves when the requests in progress have ended; a failure of theirs is told to their callers.
    void connections.pool.close()
  }
}

/** Answers with the addresses of the DNS query, so that the socket makes no other look-up. */
function toLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

/** Loaded only where there is a proxy. */
async function createTunnel(proxy: URL, idleMs: number): Promise<Agent> {
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  return new HttpsProxyAgent(proxy, { keepAlive: true, timeout: idleMs })
}

export function defaultCas(): readonly string[] {
  if (typeof tls.getCACertificates === 'function') return tls.getCACertificates('default')
  // Before Node 22.15 there is only the bundled list.
  // biome-ignore lint/style/noProcessEnv: the variable is Node's own
  const extra = process.env.NODE_EXTRA_CA_CERTS
  return extra === undefined || !existsSync(extra)
    ? tls.rootCertificates
    : [...tls.rootCertificates, readFileSync(extra, 'utf8')]
}
