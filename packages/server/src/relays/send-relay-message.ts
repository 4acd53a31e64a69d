/** Posts one relay message with the headers by which its receiver can verify it (Standard Webhooks, Ed25519). */
import { toTraceHeaders } from '../http/traceparent.ts'
import type { Clock } from '../ports/clock.ts'
import type { RelayAnswer } from './exchange.ts'
import type { RelayConnection } from './relay-connection.ts'

export interface RelayMessage {
  /** The `webhook-id`. */
  id: string
  /** The JSON text that is sent. */
  message: string
  /** Of the request that submitted the report; see `findTrace`. */
  trace?: string | undefined
  /** Made while the message before was on its way. */
  signed?: SignedMessage | undefined
}

export interface SignedMessage {
  body: Buffer
  /** The `webhook-timestamp`, which is signed, too. */
  seconds: number
  /** Base64. */
  signature: string
}

/**
 * @param signal Gives the request up.
 * @param next What is likely to be sent next: it is signed while this one is on its way.
 * @throws RelayFailure
 */
export type SendRelayMessage = (
  url: URL,
  message: RelayMessage,
  signal?: AbortSignal,
  next?: RelayMessage,
) => Promise<RelayAnswer>

export interface SendOptions {
  connection: RelayConnection
  clock: Clock
  /** Ed25519 signature, base64, under the relay key of the JWKS. */
  sign(signed: Buffer): string
}

/** A message that was signed longer ago is signed anew, so that its time is the one at which it is sent. */
const signedAheadSeconds = 1

export function createSendRelayMessage({ connection, clock, sign }: SendOptions): SendRelayMessage {
  const toSeconds = () => Math.floor(clock.now() / 1000)

  function signNow({ id, message }: RelayMessage): SignedMessage {
    const seconds = toSeconds()
    const before = `${id}.${seconds}.`
    const text = Buffer.from(before + message)
    return { body: text.subarray(Buffer.byteLength(before)), seconds, signature: sign(text) }
  }

  function signAhead(message: RelayMessage): void {
    try {
      message.signed = signNow(message)
    } catch {
      // Whoever sends it tries again, and is told.
    }
  }

  return async (url, message, signal, next) => {
    const ahead = message.signed
    const isFresh = ahead !== undefined && toSeconds() - ahead.seconds <= signedAheadSeconds
    const { body, seconds, signature } = isFresh ? ahead : signNow(message)
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'posrep-server',
      'webhook-id': message.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1a,${signature}`,
    }
    if (message.trace !== undefined) Object.assign(headers, toTraceHeaders(message.trace))
    return connection.post(url, body, headers, { signal, onSent: next && (() => signAhead(next)) })
  }
}
