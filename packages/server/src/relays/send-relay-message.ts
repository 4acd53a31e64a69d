/** Posts one relay message with the headers by which its receiver can verify it (Standard Webhooks, Ed25519). */
import { toTraceparent } from '../http/traceparent.ts'
import type { Clock } from '../ports/clock.ts'
import type { Delivery } from './delivery.ts'
import type { RelayAnswer } from './exchange.ts'
import type { RelayConnection } from './relay-connection.ts'

/** @param signal Gives the request up. @throws RelayFailure */
export type SendRelayMessage = (
  url: URL,
  delivery: Pick<Delivery, 'id' | 'message'> & Partial<Pick<Delivery, 'trace'>>,
  signal?: AbortSignal,
) => Promise<RelayAnswer>

export interface SendOptions {
  connection: RelayConnection
  clock: Clock
  /** Ed25519 signature, base64, under the relay key of the JWKS. */
  sign(signed: string): string
}

export function createSendRelayMessage({ connection, clock, sign }: SendOptions): SendRelayMessage {
  return (url, { id, message, trace }, signal) => {
    const timestamp = String(Math.floor(clock.now() / 1000))
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'posrep-server',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1a,${sign(`${id}.${timestamp}.${message}`)}`,
    }
    if (trace !== undefined) headers.traceparent = toTraceparent(trace)
    return connection.post(url, message, headers, signal)
  }
}
