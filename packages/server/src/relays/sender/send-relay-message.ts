/** Posts relay messages with headers that let the receiver verify them (Standard Webhooks, Ed25519). */
import { toTraceHeaders } from '../../http/headers/traceparent.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RelayAnswer } from './exchange.ts'
import type { RelayConnection } from './relay-connection.ts'

export interface RelayMessage {
  /** The `webhook-id`. */
  id: string
  /** The JSON text that is sent. */
  message: string
  /** The trace of the request that submitted the report; see `findTrace`. */
  trace?: string | undefined
  /** See `Post`. Default false. */
  needsBody?: boolean
}

/**
 * @param signal Ends the attempt.
 * @throws RelayFailure
 */
export type SendRelayMessage = (url: URL, message: RelayMessage, signal?: AbortSignal) => Promise<RelayAnswer>

export interface SendOptions {
  connection: RelayConnection
  clock: Clock
  /** Signs with the relay key of the JWKS. */
  sign(text: Buffer): Promise<Buffer>
}

export function createSendRelayMessage({ connection, clock, sign }: SendOptions): SendRelayMessage {
  return async (url, { id, message, trace, needsBody = false }, signal) => {
    const seconds = String(Math.floor(clock.wallTime() / 1000))
    // ASCII: as many bytes as characters.
    const prefix = `${id}.${seconds}.`
    const text = Buffer.from(prefix + message)
    const signature = await sign(text)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'posrep-server',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1a,${signature.toString('base64')}`,
      ...(trace !== undefined && toTraceHeaders(trace)),
    }
    return connection.post(url, { headers, body: text.subarray(prefix.length), needsBody }, signal)
  }
}
