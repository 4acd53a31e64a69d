/**
 * Checks that the service signed a message, and did so recently.
 * In: the Standard Webhooks headers and the raw body. Out: nothing, or ReceiverError `invalid_signature`,
 * `keys_unavailable`. Signatures are `v1a,<base64>`: Ed25519 over `<id>.<timestamp>.<body>`; see the document,
 * parameter WebhookSignature.
 */
import { concatenate } from '@posrep/kernel/gathered-bytes'
import type { JwkSet } from '@posrep/spec'
import { ReceiverError } from '../errors.ts'
import { type Clock, type Fetch, printToConsole, systemClock, systemFetch } from '../ports.ts'
import { findBytes } from '../request/bytes.ts'
import { createKeyRing } from './key-ring.ts'

export interface VerifyOptions {
  /**
   * The service's issuer, `{auth_url}`: an https origin, or http on loopback. Its keys are found through its metadata
   * (RFC 8414). Or the key set itself, for a receiver that cannot reach the service.
   */
  from: string | URL | JwkSet
  /** Largest difference between `webhook-timestamp` and now, in seconds. Default 300. */
  toleranceSeconds?: number
  /** Fetches the metadata and the key set. Default: the global fetch. */
  fetch?: Fetch
  /**
   * Receives the reason why keys could not be fetched, also while the last keys are still used. Default: prints to the
   * console.
   */
  onError?: (cause: unknown) => void
  /** Default: the system clock. */
  clock?: Clock
}

/** A header that was not sent is an empty string. */
export interface SignatureHeaders {
  id: string
  timestamp: string
  signature: string
}

/** The message as a queue or a parser gives it: headers as in `request.headers` of Node, the body as text or bytes. */
export interface SignedMessage extends Record<keyof SignatureHeaders, string | readonly string[] | undefined> {
  /** The raw body. What is left after JSON.parse() has lost what the signature covers. */
  body: string | ArrayBuffer | Uint8Array
}

export interface Verifier {
  /**
   * Refuses what no body can make valid, so that the body need not be read. @throws ReceiverError `invalid_signature`
   */
  checkHeaders(headers: SignatureHeaders): void
  /** @throws ReceiverError `invalid_signature`, `keys_unavailable` */
  verify(message: SignatureHeaders & { body: Uint8Array }): Promise<void>
}

/**
 * Verifies messages outside of a receiver, for example ones from a queue. A receiver with `from` verifies by itself.
 * The function rejects with a TypeError if the body is neither text nor bytes.
 */
export function verifySignatures(options: VerifyOptions): (message: SignedMessage) => Promise<void> {
  const { verify } = createVerifier(options)

  return async ({ id = '', timestamp = '', signature = '', body: given }) => {
    const body = findBytes(given)
    if (!body) throw new TypeError(`"body" must be the raw text or bytes of the message, got ${typeof given}`)
    await verify({ id: String(id), timestamp: String(timestamp), signature: String(signature), body })
  }
}

export function createVerifier({
  from,
  toleranceSeconds = 300,
  fetch = systemFetch,
  onError = printToConsole,
  clock = systemClock,
}: VerifyOptions): Verifier {
  if (!(toleranceSeconds > 0)) throw new RangeError(`"toleranceSeconds" must be over 0, got ${toleranceSeconds}`)
  const ring = createKeyRing({ from, fetch, onError, clock })

  return {
    checkHeaders: (headers) => void toSignatures(headers),
    async verify({ body, ...headers }) {
      const signatures = toSignatures(headers)
      const head = new TextEncoder().encode(`${headers.id}.${headers.timestamp}.`)
      const signed = concatenate([head, body], head.byteLength + body.byteLength)

      const keys = await ring.getKeys()
      if (await isSignedByAny(keys, signatures, signed)) return
      const newer = await ring.renewKeys(keys)
      if (newer !== keys && (await isSignedByAny(newer, signatures, signed))) return
      throw new ReceiverError(
        'invalid_signature',
        "None of the service's keys verifies the signature over the body as it arrived, byte for byte",
      )
    },
  }

  function toSignatures({ id, timestamp, signature }: SignatureHeaders): Uint8Array<ArrayBuffer>[] {
    checkFresh(timestamp)
    const signatures = readSignatures(signature)
    if (id !== '' && signatures.length > 0) return signatures
    throw new ReceiverError(
      'invalid_signature',
      'A message must have "webhook-id" and a "v1a" signature in "webhook-signature"',
    )
  }

  function checkFresh(timestamp: string): void {
    const ageSeconds = clock.now() / 1000 - Number(timestamp)
    if (/^[0-9]{1,12}$/.test(timestamp) && Math.abs(ageSeconds) <= toleranceSeconds) return
    throw new ReceiverError(
      'invalid_signature',
      `"webhook-timestamp" must be within ${toleranceSeconds} s of now, in seconds since 1970, got ${JSON.stringify(timestamp)}`,
    )
  }
}

/** Limits work: each signature is verified with each key, and any sender can send a long header. */
const maxSignatures = 8

function readSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  // Between them is a space, and a comma where a proxy has joined two headers.
  return Array.from(header.matchAll(/v1a,([A-Za-z0-9+/]{86}==)/g))
    .slice(0, maxSignatures)
    .map(([, base64 = '']) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
}

async function isSignedByAny(
  keys: CryptoKey[],
  signatures: Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const key of keys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify('Ed25519', key, signature, signed)) return true
    }
  }
  return false
}
