/**
 * The only way out to relay addresses: HTTPS with pinned, checked addresses, deadlines and caps.
 * In: a URL and a body. Out: the status and the first bytes of the answer, or a RelayFailure with a coarse reason.
 */
import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import { Agent, buildConnector, request } from 'undici'
import type { AddressPolicy } from './address.ts'
import { isPublicAddress } from './address.ts'

export type RelayFailureCode = 'unresolved' | 'address_refused' | 'certificate_refused' | 'timeout' | 'unreachable'

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
  timeout: 'The relay did not answer within 10 s',
  unreachable: 'The relay could not be reached',
}

export interface RelayAnswer {
  status: number
  /** At most `maxAnswerBytes`; longer answers are cut. */
  body: Buffer
  retryAfter: string | undefined
}

export interface RelayConnection {
  post(url: URL, body: string, headers: Record<string, string>): Promise<RelayAnswer>
  close(): Promise<void>
}

const deadlineMs = 10_000
const connectTimeoutMs = 5_000
const keptAnswerBytes = 1_024

export interface RelayConnectionOptions {
  policy: Pick<AddressPolicy, 'allowPrivate'>
  /** Also trusted, besides the system's; the development CA. */
  extraCa?: string | undefined
}

export function createRelayConnection({ policy, extraCa }: RelayConnectionOptions): RelayConnection {
  const isAllowed = (address: string) => policy.allowPrivate || isPublicAddress(address)

  // Every address of the name must be allowed, and the connection goes to one of those that were checked.
  const lookup: LookupFunction = (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(new RelayFailure('unresolved', { cause: error }), [])
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(new RelayFailure('address_refused'), [])
      }
      callback(null, addresses)
    })
  }

  const connect = buildConnector({
    lookup,
    timeout: connectTimeoutMs,
    minVersion: 'TLSv1.2',
    ca: [...tls.getCACertificates('default'), ...(extraCa ? [extraCa] : [])],
  })
  const agent = new Agent({
    connect(options, callback) {
      connect(options, (error, socket) => {
        if (error) return callback(error, null)
        // An IP literal reaches no lookup; what is really connected to decides.
        if (!isAllowed(socket.remoteAddress ?? '')) {
          socket.destroy()
          return callback(new RelayFailure('address_refused'), null)
        }
        callback(null, socket)
      })
    },
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    maxRedirections: 0,
  } as ConstructorParameters<typeof Agent>[0])

  return {
    async post(url, body, headers) {
      // Idle timers alone would let an answer drip for ever.
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        const answer = await request(url, { dispatcher: agent, method: 'POST', body, headers, signal })
        return {
          status: answer.statusCode,
          body: await readStart(answer.body),
          retryAfter: toText(answer.headers['retry-after']),
        }
      } catch (error) {
        throw toFailure(error, signal)
      }
    },
    close: () => agent.destroy(),
  }
}

async function readStart(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > keptAnswerBytes) {
      body.destroy()
      break
    }
  }
  return Buffer.concat(chunks).subarray(0, keptAnswerBytes + 1)
}

function toText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function toFailure(error: unknown, signal: AbortSignal): RelayFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RelayFailure) return cause
  if (signal.aborted) return new RelayFailure('timeout', { cause: error })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/TIMEOUT|TIMEDOUT/.test(code)) return new RelayFailure('timeout', { cause: error })
  if (/CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code)) return new RelayFailure('certificate_refused', { cause: error })
  return new RelayFailure('unreachable', { cause: error })
}
