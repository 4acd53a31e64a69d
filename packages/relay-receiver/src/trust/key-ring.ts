/**
 * Provides the service's Ed25519 keys.
 * In: the issuer, or a key set. Out: the keys, cached for 5 minutes, as the service allows. Concurrent callers share
 * one request. When no cached key verifies a signature, the set is fetched again, at most every 30 s. When it cannot be
 * fetched, the last keys are used for an hour.
 */
import type { Jwk, JwkSet } from '@posrep/spec'
import { vJwk } from '@posrep/spec/validators'
import * as v from 'valibot'
import { ReceiverError } from '../errors.ts'
import type { Clock, Fetch } from '../ports.ts'
import { fetchJson } from './fetch-json.ts'
import { findKeySetAddress, toIssuer } from './issuer.ts'

export interface KeyRing {
  /** @throws ReceiverError `keys_unavailable` */
  getKeys(): Promise<CryptoKey[]>
  /**
   * Resolves with newer keys than `seen`, or with `seen` itself if there are none. @throws ReceiverError
   * `keys_unavailable`
   */
  renewKeys(seen: CryptoKey[]): Promise<CryptoKey[]>
}

export interface KeyRingOptions {
  from: string | URL | JwkSet
  fetch: Fetch
  clock: Clock
  onError: (cause: unknown) => void
}

const maxAgeMs = 5 * 60_000
/** Until then the last keys are used while no newer ones can be fetched. */
const maxStaleMs = 60 * 60_000
const renewalPauseMs = 30_000
/**
 * After a failure without any keys. Limits the requests to a service that is down, and the messages that wait for them.
 */
const firstKeysPauseMs = 1_000
const fetchTimeoutMs = 5_000

export function createKeyRing({ from, fetch, clock, onError }: KeyRingOptions): KeyRing {
  if (!(from instanceof URL) && typeof from !== 'string') return createFixedKeyRing(from)
  const issuer = toIssuer(from)
  let loaded: { keys: CryptoKey[]; atMs: number } | undefined
  let failed: { error: ReceiverError; atMs: number } | undefined
  let loading: Promise<CryptoKey[]> | undefined

  return {
    async getKeys() {
      if (loaded && clock.now() - loaded.atMs < maxAgeMs) return loaded.keys
      try {
        return await load()
      } catch (error) {
        if (loaded && clock.now() - loaded.atMs < maxStaleMs) return loaded.keys
        throw error
      }
    },
    async renewKeys(seen) {
      if (loaded && loaded.keys !== seen) return loaded.keys
      if (loaded && clock.now() - loaded.atMs < renewalPauseMs) return seen
      return load()
    },
  }

  function load(): Promise<CryptoKey[]> {
    const pauseMs = loaded ? renewalPauseMs : firstKeysPauseMs
    if (failed && clock.now() - failed.atMs < pauseMs) return Promise.reject(failed.error)
    loading ??= fetchKeys(issuer, fetch)
      .then(
        (keys) => {
          failed = undefined
          loaded = { keys, atMs: clock.now() }
          return keys
        },
        (cause) => {
          const message = "The service's keys cannot be fetched now; send the message again"
          failed = { error: new ReceiverError('keys_unavailable', message, { cause }), atMs: clock.now() }
          onError(failed.error)
          throw failed.error
        },
      )
      .finally(() => {
        loading = undefined
      })
    return loading
  }
}

function createFixedKeyRing({ keys }: JwkSet): KeyRing {
  if (!keys?.some(isEd25519)) throw new TypeError('"from" must have an Ed25519 key (kty OKP, crv Ed25519), got none')
  const imported = importKeys(keys)
  // getKeys() rejects with this error; without this handler an earlier rejection would end the process.
  imported.catch(() => {})
  return { getKeys: () => imported, renewKeys: async (seen) => seen }
}

async function fetchKeys(issuer: URL, fetch: Fetch): Promise<CryptoKey[]> {
  const signal = AbortSignal.timeout(fetchTimeoutMs)
  const address = await findKeySetAddress(issuer, fetch, signal)
  const set = await fetchJson(address, fetch, signal)
  if (!isKeySet(set)) throw new Error(`GET ${address} answered JSON that is not a key set`)
  return importKeys(set.keys)
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
