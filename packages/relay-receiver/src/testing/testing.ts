/**
 * For tests of relay owners: messages as the service sends them, and broken ones.
 * In: a device. Out: a sender with a signing key of its own; a receiver accepts its messages with `from: sender.keys`.
 */
import type { JwkSet, PositionReport, RelayMessage } from '@posrep/spec'
import { type Clock, systemClock } from '../ports.ts'
import { createSigningKey } from './signing-key.ts'

export interface TestSenderOptions {
  /** URN of the device in the IDs of the messages. Default `urn:aa:device:acme:roof1`. */
  device?: string
  /** The private key, for a sender that must be the same in several processes. Default: a new one. */
  privateKey?: JsonWebKey
  /** The time of the attempts. Default: the system clock. */
  clock?: Clock
}

export interface TestMessage {
  headers: Record<string, string>
  body: string
}

export interface TestSender {
  device: string
  /** The key set for the receiver's option `from`. */
  keys: JwkSet
  /** The private key as JWK, to create the sender again. */
  privateKey: JsonWebKey
  /** A validation message. Default: a random code. */
  validation(validationCode?: string): Promise<TestMessage>
  /** A report message. Default: one position, now. Each message has a new ID unless `id` is given. */
  report(report?: PositionReport, options?: { id?: string }): Promise<TestMessage>
  /** Any body, signed: for messages that are signed but not valid. */
  sign(body: string, options?: { id?: string }): Promise<TestMessage>
  /** The next attempt of the same message: the same ID and body, a new time and signature. */
  repeat(message: TestMessage): Promise<TestMessage>
  /**
   * The message as it was signed this long ago, in ms. Default 10 minutes; a receiver accepts 5. Negative: from the
   * future.
   */
  late(message: TestMessage, byMs?: number): Promise<TestMessage>
  /** The message without the signature. */
  unsigned(message: TestMessage): TestMessage
  /** The message with one byte of the body changed after it was signed. */
  altered(message: TestMessage): TestMessage
  /** The message signed with a key that is not in `keys`. */
  forged(message: TestMessage): Promise<TestMessage>
}

export async function createTestSender({
  device = 'urn:aa:device:acme:roof1',
  privateKey,
  clock = systemClock,
}: TestSenderOptions = {}): Promise<TestSender> {
  const key = await createSigningKey(privateKey)
  const stranger = await createSigningKey()

  async function send(body: string, { id = newId(device), atMs = clock.now(), by = key } = {}): Promise<TestMessage> {
    const timestamp = String(Math.floor(atMs / 1000))
    return {
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': await by.sign(`${id}.${timestamp}.${body}`),
      },
      body,
    }
  }

  return {
    device,
    keys: { keys: [key.publicJwk] },
    privateKey: key.privateJwk,
    validation: (validationCode = crypto.randomUUID()) =>
      send(toBody({ name: 'validate', version: '1.0', validationCode })),
    report: (positionReport = aReport(clock), options) =>
      send(toBody({ name: 'position_report', version: '1.0', positionReport }), options),
    sign: send,
    repeat: ({ headers, body }) => send(body, { id: idOf(headers) }),
    late: ({ headers, body }, byMs = 600_000) => send(body, { id: idOf(headers), atMs: clock.now() - byMs }),
    unsigned({ headers: { 'webhook-signature': _signature, ...headers }, body }) {
      return { headers, body }
    },
    altered: ({ headers, body }) => ({
      headers,
      body: body.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10)),
    }),
    forged: ({ headers, body }) => send(body, { id: idOf(headers), by: stranger }),
  }
}

/** A POST of the message, for `receiver.fetch()`. For a server, pass headers and body to any HTTP client. */
export function toRequest({ headers, body }: TestMessage, url = 'https://relay.example.net/position-reports'): Request {
  return new Request(url, { method: 'POST', headers, body })
}

function toBody(message: RelayMessage): string {
  return JSON.stringify(message)
}

function aReport(clock: Clock): PositionReport {
  const atMs = clock.now()
  const sourceTimeStamp = new Date(atMs).toISOString()
  const position = { lat: 60.31721, lon: 24.9633 }
  const target = { type: 'aa:target:aircraft' as const, ids: [{ id: '461F9C', type: 'ICAO' }] }
  return { sensor: { id: 'roof1' }, positions: [{ id: `461f9c-${atMs}`, sourceTimeStamp, position, target }] }
}

function idOf(headers: Record<string, string>): string {
  return headers['webhook-id'] ?? ''
}

/**
 * As the service makes them: the URN, with all characters except letters, digits, `:` and `-` percent-encoded, `/` and
 * a hash.
 */
function newId(device: string): string {
  const urn = [...new TextEncoder().encode(device)].map(toIdCharacter).join('')
  return `${urn}/${crypto.randomUUID()}`
}

function toIdCharacter(byte: number): string {
  const character = String.fromCharCode(byte)
  return /[A-Za-z0-9:-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
