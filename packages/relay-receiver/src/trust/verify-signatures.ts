/**
 * Checks that the service signed a message, and did so recently.
 * In: the Standard Webhooks headers and the raw body. Out: nothing, or ReceiverError `invalid_signature`, `keys_unavailable`.
 * Signatures are `v1a,<base64>`: Ed25519 over `<id>.<timestamp>.<body>`; see the document, parameter WebhookSignature.
 */
import type { JwkSet } from '@posrep/spec'
import { ReceiverError } from '../errors.ts'
import { type Clock, type Fetch, systemClock, systemFetch } from '../ports.ts'
import { concatenate } from '../request/read-body.ts'
import { createKeyRing } from './key-ring.ts'

export interface VerifyOptions {
  /** The service's key set, or its address: `{auth_url}/oauth/v2/jwks`. */
  jwks: URL | JwkSet
  /** Largest difference between `webhook-timestamp` and now, in seconds. Default 300. */
  toleranceSeconds?: number
  /** Default: the global fetch. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
}

/** A header that was not sent is an empty string. */
export interface SignedMessage {
  id: string
  timestamp: string
  signature: string
  body: Uint8Array<ArrayBuffer>
}

/** Creates the `verify` option of createReceiver. */
export function verifySignatures({
  jwks,
  toleranceSeconds = 300,
  fetch = systemFetch,
  clock = systemClock,
}: VerifyOptions): (message: SignedMessage) => Promise<void> {
  if (!(toleranceSeconds > 0)) throw new RangeError(`"toleranceSeconds" must be over 0, got ${toleranceSeconds}`)
  const ring = createKeyRing({ jwks, fetch, clock })

  return async ({ id, timestamp, signature, body }) => {
    checkFresh(timestamp)
    const signatures = toSignatures(signature)
    if (id === '' || signatures.length === 0) {
      throw new ReceiverError(
        'invalid_signature',
        'A message must have "webhook-id" and a "v1a" signature in "webhook-signature"',
      )
    }
    const head = new TextEncoder().encode(`${id}.${timestamp}.`)
    const signed = concatenate([head, body], head.byteLength + body.byteLength)

    const keys = await ring.getKeys()
    if (await isSignedByAny(keys, signatures, signed)) return
    const newer = await ring.renewKeys(keys)
    if (newer !== keys && (await isSignedByAny(newer, signatures, signed))) return
    throw new ReceiverError('invalid_signature', "None of the service's keys verifies the signature")
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

function toSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .filter((one) => /^v1a,[A-Za-z0-9+/]{86}==$/.test(one))
    .slice(0, maxSignatures)
    .map((one) => Uint8Array.from(atob(one.slice('v1a,'.length)), (character) => character.charCodeAt(0)))
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
