/**
 * Sends all requests to relay addresses: over HTTPS, to checked addresses only, with a deadline and size limits.
 * In: a URL and a POST. Out: the status and the first bytes of the response, or a RelayFailure.
 */
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import type { Logger } from '../../ports/logger.ts'
import { type AddressPolicy, isPublicAddress } from './address.ts'
import { exchange, type Post, type RelayAnswer } from './exchange.ts'
import { createFailureLog } from './failure-log.ts'
import { RelayFailure, toCoarse, toRelayFailure } from './relay-failure.ts'
import { createRelayPools } from './relay-pools.ts'
import { createResolve, type Resolve, systemResolve } from './resolve-host.ts'
import { isUnaskedContinue, tolerantExchange } from './tolerant-exchange.ts'

export interface RelayConnection {
  /**
   * @param signal Aborts the POST, also while the connection is being opened.
   * @throws RelayFailure
   */
  post(url: URL, post: Post, signal?: AbortSignal): Promise<RelayAnswer>
  close(): Promise<void>
}

const nameNotFound = 'The host name of the relay address was not found'

/** All addresses of a name are checked; at most this many are tried. */
const maxAddresses = 8

export interface RelayConnectionOptions {
  policy: Pick<AddressPolicy, 'allowPrivate'>
  /** PEM certificates that are trusted besides the system's CAs, such as the development CA. */
  extraCa?: string | undefined
  /** From the look-up of the name to the last byte of the response. Default 10_000. */
  deadlineMs?: number
  /** For TCP and the TLS handshake. Default 5_000. */
  connectTimeoutMs?: number
  /** Limit of a connection's age; the next one resolves the name again. Default 30_000. */
  connectionAgeMs?: number
  /**
   * Returns all addresses of a name. Default: the name servers, or the system's resolver if private addresses are
   * allowed.
   */
  resolve?: Resolve
  /** Default: public addresses, or all addresses if private ones are allowed. */
  isAllowed?: (address: string) => boolean
  /** Gets the causes of failures. Default: they are not logged. */
  logger?: Pick<Logger, 'info'>
}

/** Relays for which Node's client is used; one that is forgotten gets a message twice. */
const tolerated = { max: 1_000, ttl: 24 * 3_600_000 }

export function createRelayConnection({
  policy,
  extraCa,
  deadlineMs = 10_000,
  connectTimeoutMs = 5_000,
  connectionAgeMs = 30_000,
  resolve = policy.allowPrivate ? systemResolve : createResolve(),
  isAllowed = (address) => policy.allowPrivate || isPublicAddress(address),
  logger,
}: RelayConnectionOptions): RelayConnection {
  async function resolveAllowed(host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const [first, ...rest] = await resolve(host).catch((cause) => {
      // Where private addresses are allowed, users may know which names this network has.
      throw new RelayFailure('unresolved', { cause, ...(policy.allowPrivate && { reason: nameNotFound }) })
    })
    if (!first || ![first, ...rest].every(({ address }) => isAllowed(address)))
      throw new RelayFailure('address_refused')
    return [first, ...rest.slice(0, maxAddresses - 1)]
  }

  // Every address of the name must be allowed, and the connection goes to one of the checked addresses.
  const lookup: LookupFunction = (host, { all }, callback) => {
    resolveAllowed(host).then(
      ([first, ...rest]) => (all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family)),
      (error) => callback(error, []),
    )
  }

  const open = buildConnector({
    lookup,
    timeout: connectTimeoutMs,
    allowH2: false,
    // Created once: reading all certificate authorities for every connection is slow.
    secureContext: tls.createSecureContext({
      minVersion: 'TLSv1.2',
      ca: [...tls.getCACertificates('default'), ...(extraCa ? [extraCa] : [])],
    }),
  })
  const connect: buildConnector.connector = (options, callback) => {
    // Node does not call `lookup` for an IP literal.
    const literal = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !isAllowed(literal)) return callback(new RelayFailure('address_refused'), null)
    open(options, (error, socket) => {
      if (error) return callback(error, null)
      // Check the address that the socket is really connected to.
      if (isAllowed(socket.remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      callback(new RelayFailure('address_refused'), null)
    })
  }
  const connectTo = ({ hostname, host, protocol, port }: URL): Promise<Socket> =>
    new Promise((resolve, reject) => {
      connect({ hostname, host, protocol, port }, (error, socket) => (socket ? resolve(socket) : reject(error)))
    })

  const pools = createRelayPools({ connectionAgeMs, connect })
  const sendsContinue = new LRUCache<string, true>(tolerated)
  const failureLog = createFailureLog(logger)

  /**
   * One way to send a POST. `end` ends it in every phase; undici ignores an AbortSignal until the connection exists.
   */
  interface Sending {
    send(post: Post): Promise<RelayAnswer>
    end(): void
  }

  function overPool({ origin, pathname, search }: URL): Sending {
    const connection = pools.take(origin)
    return {
      async send(post) {
        const answer = await exchange(connection.client, `${pathname}${search}`, post).catch((error) => {
          throw error.code === 'UND_ERR_SOCKET' ? (connection.socketError ?? error) : error
        })
        pools.putBack(connection)
        return answer
      },
      end: () => pools.drop(connection),
    }
  }

  function tolerantly(url: URL): Sending {
    const ending = new AbortController()
    return {
      send: (post) => tolerantExchange(connectTo, url, post, ending.signal),
      end: () => ending.abort(),
    }
  }

  /** @throws RelayFailure with all that is known */
  async function post(url: URL, message: Post, signal?: AbortSignal): Promise<RelayAnswer> {
    if (signal?.aborted) throw new RelayFailure('unreachable', { cause: signal.reason })
    let sending = sendsContinue.has(url.origin) ? tolerantly(url) : overPool(url)
    let isLate = false
    const end = () => sending.end()
    const timer = setTimeout(() => {
      isLate = true
      end()
    }, deadlineMs)
    signal?.addEventListener('abort', end)
    try {
      return await sending.send(message).catch((error) => {
        end()
        if (!isUnaskedContinue(error) || isLate || signal?.aborted) throw error
        sendsContinue.set(url.origin, true)
        sending = tolerantly(url)
        return sending.send(message)
      })
    } catch (error) {
      throw isLate ? new RelayFailure('timeout', { cause: error }) : toRelayFailure(error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }

  return {
    async post(url, message, signal) {
      try {
        const answer = await post(url, message, signal)
        failureLog.succeeded(url.host)
        return answer
      } catch (error) {
        const failure = toRelayFailure(error)
        if (!signal?.aborted) failureLog.failed(url.host, failure)
        throw policy.allowPrivate ? toCoarse(failure) : failure
      }
    },
    close: () => pools.close(),
  }
}
