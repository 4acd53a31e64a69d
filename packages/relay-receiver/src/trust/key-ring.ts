/**
 * Provides the service's Ed25519 keys.
 * In: a key set, or its address. Out: the keys, cached for 5 minutes, as the service allows. Concurrent callers share one request. When no cached key
 * verifies a signature, the set is fetched again, at most every 30 s.
 */
import type { Jwk, JwkSet } from '@posrep/spec'
import { vJwk } from '@posrep/spec/validators'
import * as v from 'valibot'
import { ReceiverError } from '../errors.ts'
import type { Clock, Fetch } from '../ports.ts'
import { readBody } from '../request/read-body.ts'

export interface KeyRing {
  getKeys(): Promise<CryptoKey[]>
  /** Resolves with newer keys than `seen`, or with `seen` itself if there are none. */
  renewKeys(seen: CryptoKey[]): Promise<CryptoKey[]>
}

export interface KeyRingOptions {
  jwks: URL | JwkSet
  fetch: Fetch
  clock: Clock
}

const maxAgeMs = 5 * 60_000
const renewalPauseMs = 30_000

export function createKeyRing({ jwks, fetch, clock }: KeyRingOptions): KeyRing {
  if (!(jwks instanceof URL)) return createFixedKeyRing(jwks)
  checkAddress(jwks)
  let loaded: { keys: CryptoKey[]; atMs: number } | undefined
  let loading: Promise<CryptoKey[]> | undefined

  return {
    async getKeys() {
      return loaded && clock.now() - loaded.atMs < maxAgeMs ? loaded.keys : load(jwks)
    },
    async renewKeys(seen) {
      if (loaded && loaded.keys !== seen) return loaded.keys
      if (loaded && clock.now() - loaded.atMs < renewalPauseMs) return seen
      return load(jwks)
    },
  }

  function load(address: URL): Promise<CryptoKey[]> {
    loading ??= fetchKeys(address, fetch)
      .then((keys) => {
        loaded = { keys, atMs: clock.now() }
        return keys
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
}

function createFixedKeyRing({ keys }: JwkSet): KeyRing {
  if (!keys.some(isEd25519)) throw new TypeError('"jwks" must have an Ed25519 key (kty OKP, crv Ed25519), got none')
  const imported = importKeys(keys)
  // getKeys() rejects with this error; without this handler an earlier rejection would end the process.
  imported.catch(() => {})
  return { getKeys: () => imported, renewKeys: async (seen) => seen }
}

const fetchTimeoutMs = 5_000
const maxKeySetBytes = 64 * 1024

async function fetchKeys(address: URL, fetch: Fetch): Promise<CryptoKey[]> {
  try {
    const signal = AbortSignal.timeout(fetchTimeoutMs)
    const response = await fetch(
      new Request(address, { headers: { accept: 'application/json' }, redirect: 'error', signal }),
    )
    if (!response.ok) throw new Error(`GET ${address} answered ${response.status}`)
    const set: unknown = JSON.parse(
      new TextDecoder().decode(await readBody(response, { maxBytes: maxKeySetBytes, signal })),
    )
    if (!isKeySet(set)) throw new Error(`GET ${address} answered JSON that is not a key set`)
    return await importKeys(set.keys)
  } catch (cause) {
    throw new ReceiverError('keys_unavailable', "The service's keys cannot be fetched now; send the message again", {
      cause,
    })
  }
}

function isKeySet(value: unknown): value is { keys: unknown[] } {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
}

/** The set also contains the ES256 keys of access tokens. */
function isEd25519(value: unknown): value is Jwk {
  return isJwk(value) && value.kty === 'OKP' && value.crv === 'Ed25519'
}

function isJwk(value: unknown): value is Jwk {
  return v.is(vJwk, value)
}

function importKeys(keys: unknown[]): Promise<CryptoKey[]> {
  // "alg" is left out: runtimes disagree whether it is called EdDSA or Ed25519.
  return Promise.all(
    keys
      .filter(isEd25519)
      .map(({ kty, crv, x }) => crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])),
  )
}

function checkAddress({ protocol, hostname, href }: URL): void {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return
  throw new TypeError(`"jwks" must be an https URL, got ${JSON.stringify(href)}`)
}
