/**
 * The signing keys of the deployment: ES256 for access tokens, Ed25519 for relay messages.
 * Made once and kept in the directory, so that all processes sign with the same ones; public halves go to the JWKS.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Jwk } from '@posrep/spec'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Clock } from '../ports/clock.ts'
import type { Directory, SigningKey } from '../ports/directory.ts'

export interface PrivateKey {
  kid: string
  key: KeyObject
}

export interface Keys {
  /** Signs access tokens. */
  accessToken: PrivateKey
  /** Signs relay messages. */
  relayMessage: PrivateKey
  publicJwks(): Jwk[]
  /** Looks again into the directory for a key that another process has added since, at most once a second. */
  findAccessTokenKey(kid: string): Promise<KeyObject | undefined>
}

type Use = SigningKey['use']

const reloadEveryMs = 1_000

/** Loads the deployment's keys; makes those that are missing. */
export async function loadKeys({ directory, clock }: { directory: Directory; clock: Clock }): Promise<Keys> {
  const accessToken = toPrivateKey(await getSigningKey('access-token'))
  const relayMessage = toPrivateKey(await getSigningKey('relay-message'))
  let known = await readPublicKeys()
  let readAtMs = clock.now()

  /** The oldest of a use signs: two processes that start together agree on it. */
  async function getSigningKey(use: Use): Promise<SigningKey> {
    return (await findSigningKey(use)) ?? createSigningKey(use)
  }

  async function findSigningKey(use: Use): Promise<SigningKey | undefined> {
    const keys = await directory.list('signingKey', { where: { index: 'use', equals: use } })
    return keys.sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))[0]
  }

  async function createSigningKey(use: Use): Promise<SigningKey> {
    const privateJwk = generatePrivateJwk(use)
    const record: SigningKey = {
      id: await calculateJwkThumbprint(privateJwk),
      use,
      privateJwk: { ...privateJwk },
      createdAtMs: clock.now(),
    }
    await directory.insert('signingKey', record)
    return (await findSigningKey(use)) ?? record
  }

  async function readPublicKeys(): Promise<Map<string, { use: Use; key: KeyObject }>> {
    const records = await directory.list('signingKey')
    return new Map(
      records.map((record) => [record.id, { use: record.use, key: createPublicKey(toPrivateKey(record).key) }]),
    )
  }

  return {
    accessToken,
    relayMessage,
    publicJwks: () => [...known].map(([kid, { key }]) => toPublicJwk(kid, key)),
    async findAccessTokenKey(kid) {
      if (!known.has(kid) && clock.now() - readAtMs >= reloadEveryMs) {
        readAtMs = clock.now()
        known = await readPublicKeys()
      }
      const found = known.get(kid)
      return found?.use === 'access-token' ? found.key : undefined
    },
  }
}

function generatePrivateJwk(use: Use): JWK {
  const { privateKey } =
    use === 'access-token' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  // node:crypto and jose describe the same JWK (RFC 7517) in two types.
  return privateKey.export({ format: 'jwk' }) as JWK
}

function toPrivateKey({ id, privateJwk }: SigningKey): PrivateKey {
  return { kid: id, key: createPrivateKey({ key: privateJwk, format: 'jwk' }) }
}

function toPublicJwk(kid: string, key: KeyObject): Jwk {
  const { kty, x = '', y } = key.export({ format: 'jwk' })
  return kty === 'EC'
    ? { kty: 'EC', kid, use: 'sig', alg: 'ES256', crv: 'P-256', x, y }
    : { kty: 'OKP', kid, use: 'sig', alg: 'EdDSA', crv: 'Ed25519', x }
}
