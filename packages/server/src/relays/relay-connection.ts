/**
 * The only way out to relay addresses: HTTPS with pinned, checked addresses, deadlines and caps.
 * In: a URL and a body. Out: the status and the first bytes of the answer, or a RelayFailure with a coarse reason.
 */
import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import tls from 'node:tls'
import { Agent, buildConnector, request } from 'undici'
import type { AddressPolicy } from './address.ts'
import { isPublicAddress } from './address.ts'

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

export interface RelayAnswer {
  status: number
  /** The start of it: one byte more than `maxEchoBytes` at most, so that too long can be told from just long enough. */
  body: Buffer
  retryAfter: string | undefined
}

export interface RelayConnection {
  /** @param signal Gives the request up. @throws RelayFailure */
  post(url: URL, body: string, headers: Record<string, string>, signal?: AbortSignal): Promise<RelayAnswer>
  close(): Promise<void>
}

export const maxEchoBytes = 1_024
/** What is read of an answer, so that its connection can be used again; one that sends more is cut off. */
const maxAnswerBytes = 64 * 1024
const connectTimeoutMs = 5_000

export interface RelayConnectionOptions {
  policy: Pick<AddressPolicy, 'allowPrivate'>
  /** Also trusted, besides the system's; the development CA. */
  extraCa?: string | undefined
  /** For everything from the name to the last byte. Default 10_000. */
  deadlineMs?: number
  /** Every address of a name. Default: the system's resolver. */
  resolve?: Resolve
}

export type Resolve = (host: string) => Promise<LookupAddress[]>

const systemResolve: Resolve = (host) => dns.lookup(host, { all: true })

export function createRelayConnection({
  policy,
  extraCa,
  deadlineMs = 10_000,
  resolve = systemResolve,
}: RelayConnectionOptions): RelayConnection {
  const isAllowed = (address: string) => policy.allowPrivate || isPublicAddress(address)

  async function resolveAllowed(host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const [first, ...rest] = await resolve(host).catch((cause) => {
      throw new RelayFailure('unresolved', { cause })
    })
    if (!first || ![first, ...rest].every(({ address }) => isAllowed(address)))
      throw new RelayFailure('address_refused')
    return [first, ...rest]
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
    minVersion: 'TLSv1.2',
    ca: [...tls.getCACertificates('default'), ...(extraCa ? [extraCa] : [])],
  })
  const agent = new Agent({
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
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
  })

  async function exchange(url: URL, options: Omit<Parameters<typeof request>[1], 'dispatcher'>): Promise<RelayAnswer> {
    const answer = await request(url, { ...options, dispatcher: agent, method: 'POST' })
    return {
      status: answer.statusCode,
      body: await readStart(answer.body),
      retryAfter: toText(answer.headers['retry-after']),
    }
  }

  return {
    async post(url, body, headers, givenUp) {
      // Idle timers alone would let an answer drip for ever.
      const deadline = AbortSignal.timeout(deadlineMs)
      const signal = givenUp ? AbortSignal.any([deadline, givenUp]) : deadline
      try {
        // Until there is a connection, undici does not look at the signal.
        return await Promise.race([exchange(url, { body, headers, signal }), aborted(signal)])
      } catch (error) {
        throw toFailure(error, deadline)
      }
    },
    close: () => agent.destroy(),
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function readStart(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<Buffer> {
  const start: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    if (length <= maxEchoBytes) start.push(chunk)
    length += chunk.length
    if (length > maxAnswerBytes) {
      body.destroy()
      break
    }
  }
  return Buffer.concat(start).subarray(0, maxEchoBytes + 1)
}

function toText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function toFailure(error: unknown, deadline: AbortSignal): RelayFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RelayFailure) return cause
  if (deadline.aborted) return new RelayFailure('timeout', { cause: error })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/TIMEOUT|TIMEDOUT/.test(code)) return new RelayFailure('timeout', { cause: error })
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return new RelayFailure('certificate_refused', { cause: error })
  if (/SSL|TLS|EPROTO/.test(code)) return new RelayFailure('tls_failed', { cause: error })
  return new RelayFailure('unreachable', { cause: error })
}
