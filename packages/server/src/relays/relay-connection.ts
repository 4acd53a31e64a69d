/**
 * The only way out to relay addresses: HTTPS with pinned, checked addresses, deadlines and caps.
 * In: a URL, a post, and those that follow it. Out: the status and the first bytes of the answer, or a RelayFailure with a coarse reason.
 */
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import tls from 'node:tls'
import { buildConnector } from 'undici'
import type { AddressPolicy } from './address.ts'
import { isPublicAddress } from './address.ts'
import { createEndOfTurn } from './end-of-turn.ts'
import { type ExchangeOptions, exchange, Fault, LateAnswer, type Post, type RelayAnswer } from './exchange.ts'
import { createRelayPools } from './relay-pools.ts'
import { createResolve, type Resolve, systemResolve } from './resolve-host.ts'

export type RelayFailureCode =
  | 'unresolved'
  | 'address_refused'
  | 'certificate_refused'
  | 'tls_failed'
  | 'timeout'
  | 'unreachable'

/** The message is what the user sees: it names no address and no banner of the network behind. */
export class RelayFailure extends Error {
  override readonly name = 'RelayFailure'
  readonly code: RelayFailureCode

  constructor(code: RelayFailureCode, options?: ErrorOptions) {
    super(reasons[code], options)
    this.code = code
  }
}

const reasons: Record<RelayFailureCode, string> = {
  unresolved: 'The host name of the relay address could not be resolved',
  address_refused: 'The relay address does not lead to the public internet',
  certificate_refused: 'The TLS certificate of the relay was not accepted',
  tls_failed: 'No TLS connection to the relay could be made; it takes TLS 1.2 or newer',
  timeout: 'The relay did not answer in time',
  unreachable: 'The relay could not be reached',
}

export type PostOptions = Pick<ExchangeOptions, 'givingUp' | 'onSent' | 'next'>

/** A `URL`, or what was read from one. */
export type PostUrl = Readonly<Pick<URL, 'origin' | 'pathname' | 'search'>>

export interface RelayConnection {
  /** Resolves with the last answer, where more was sent `next`. @throws RelayFailure, and what `next` throws */
  post(url: PostUrl, post: Post, options?: PostOptions): Promise<RelayAnswer>
  close(): Promise<void>
}

/** All of a name are looked at; so many are tried. */
const maxAddresses = 8

export interface RelayConnectionOptions {
  policy: Pick<AddressPolicy, 'allowPrivate'>
  /** Also trusted, besides the system's; the development CA. */
  extraCa?: string | undefined
  /** For everything from the name to the last byte. Default 10_000. */
  deadlineMs?: number
  /** For the connection with its handshake. Default 5_000. */
  connectTimeoutMs?: number
  /** How long a connection is used for, as the name may lead elsewhere meanwhile. Default 30_000. */
  connectionAgeMs?: number
  /** Every address of a name. Default: the name servers; where private addresses are allowed, the system's resolver. */
  resolve?: Resolve
  /** Which addresses a name may have. Default: those of the public internet; where private ones are allowed, all. */
  isAllowed?: (address: string) => boolean
}

export function createRelayConnection({
  policy,
  extraCa,
  deadlineMs = 10_000,
  connectTimeoutMs = 5_000,
  connectionAgeMs = 30_000,
  resolve = policy.allowPrivate ? systemResolve : createResolve(),
  isAllowed = (address) => policy.allowPrivate || isPublicAddress(address),
}: RelayConnectionOptions): RelayConnection {
  async function resolveAllowed(host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const [first, ...rest] = await resolve(host).catch((cause) => {
      throw new RelayFailure('unresolved', { cause })
    })
    if (!first || ![first, ...rest].every(({ address }) => isAllowed(address)))
      throw new RelayFailure('address_refused')
    return [first, ...rest.slice(0, maxAddresses - 1)]
  }

  // Every address of the name must be allowed, and the connection goes to one of those that were checked.
  const lookup: LookupFunction = (host, { all }, callback) => {
    resolveAllowed(host).then(
      ([first, ...rest]) => (all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family)),
      (error) => callback(error, []),
    )
  }

  const connect = buildConnector({
    lookup,
    timeout: connectTimeoutMs,
    allowH2: false,
    // Made once: the authorities are many, and would be read again for every connection.
    secureContext: tls.createSecureContext({
      minVersion: 'TLSv1.2',
      ca: [...tls.getCACertificates('default'), ...(extraCa ? [extraCa] : [])],
    }),
  })
  const pools = createRelayPools({
    oldestMs: connectionAgeMs,
    connect(options, callback) {
      // An IP literal reaches no lookup.
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0 && !isAllowed(literal)) return callback(new RelayFailure('address_refused'), null)
      connect(options, (error, socket) => {
        if (error) return callback(error, null)
        // What is really connected to has the last word.
        if (isAllowed(socket.remoteAddress ?? '')) return callback(null, socket)
        socket.destroy()
        callback(new RelayFailure('address_refused'), null)
      })
    },
  })

  const sendAtEndOfTurn = createEndOfTurn()

  return {
    async post({ origin, pathname, search }, post, { givingUp, onSent, next } = {}) {
      const connection = pools.take(origin)
      const options: ExchangeOptions = {
        deadlineMs,
        givingUp,
        onSent,
        next: next && ((answer) => (connection.isOld ? undefined : next(answer))),
        holdBack: (letGo) => connection.socket && sendAtEndOfTurn(connection.socket, letGo),
      }
      try {
        const answer = await exchange(connection.client, `${pathname}${search}`, post, options)
        pools.putBack(connection)
        return answer
      } catch (error) {
        pools.drop(connection)
        throw error instanceof Fault ? error.cause : toFailure(error)
      }
    },
    close: () => pools.close(),
  }
}

function toFailure(error: unknown): RelayFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RelayFailure) return cause
  if (error instanceof LateAnswer) return new RelayFailure('timeout', { cause: error })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/TIMEOUT|TIMEDOUT/.test(code)) return new RelayFailure('timeout', { cause: error })
  // OpenSSL's verdict on a weak key or hash has no name in node.
  if (/CERT|SIGNATURE|ISSUER|INVALID_CA|PURPOSE|PATH_LENGTH|UNSPECIFIED/.test(code))
    return new RelayFailure('certificate_refused', { cause: error })
  if (/SSL|TLS|EPROTO/.test(code)) return new RelayFailure('tls_failed', { cause: error })
  return new RelayFailure('unreachable', { cause: error })
}
