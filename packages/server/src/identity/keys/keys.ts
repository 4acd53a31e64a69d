/**
 * The signing keys of the deployment: ES256 for access tokens, Ed25519 for relay messages.
 * In: the directory, which all processes share. Out: the key that signs now, the public keys for the JWKS, secrets
 * derived from the keys, and rotation, which publishes a key long before it signs (`key-schedule.ts`).
 */
import { generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'
import type { Jwk } from '@posrep/spec'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Clock } from '../../ports/clock.ts'
import type { Directory, SigningKey } from '../../ports/storage/directory.ts'
import { keepReading } from '../revocation/keep-reading.ts'
import { type KeyPair, toKeyPair } from './key-pair.ts'
import {
  findPendingKey,
  findPublishedKeys,
  findSigningKey,
  isSpent,
  publishLeadMs,
  toNextGeneration,
} from './key-schedule.ts'

export interface PrivateKey {
  kid: string
  key: KeyObject
}

export interface Keys {
  /** Signs access tokens now. */
  readonly accessToken: PrivateKey
  /** Signs relay messages now. */
  readonly relayMessage: PrivateKey
  publicJwks(): Jwk[]
  /** Reads the directory again for an unknown key, which another process may have added; at most once a second. */
  findAccessTokenKey(kid: string): Promise<KeyObject | undefined>
  /** False for a key that was dropped or not read yet. Does not read the directory. */
  has(kid: string): boolean
  /**
   * Secrets of 256 bits for one purpose, the same in every process: first that of the key that signs access tokens now,
   * then those of the other published keys. A dropped key takes its secrets with it.
   */
  deriveSecrets(purpose: string): Buffer[]
  /** Reads rotated and dropped keys twice a second, until stopped. */
  follow(): () => Promise<void>
}

export interface KeysOptions {
  directory: Directory
  clock: Clock
  /** Called for the first of several failed reads in a row. */
  onError?: (error: unknown) => void
}

export interface RotatedKey {
  use: Use
  kid: string
  /** The key is in the JWKS now and signs from this time on; its predecessor stays in the JWKS for a day more. */
  signsFromMs: number
  /** False while an earlier rotation is in progress: this is its key, and no other was created. */
  isNew: boolean
}

type Use = SigningKey['use']

const uses: Use[] = ['access-token', 'relay-message']
const searchEveryMs = 1_000
/** No process accepts the signature of a dropped key for longer than a second. */
const readEveryMs = 500

/**
 * Loads the deployment's keys and creates missing ones; concurrent processes create one together.
 * @throws SettingsError for a damaged key.
 */
export async function loadKeys({ directory, clock, onError = () => {} }: KeysOptions): Promise<Keys> {
  for (const use of uses) {
    if ((await listKeys(directory, use)).length > 0) continue
    await directory.insert('signingKey', await createKey(use, { generation: 1, nowMs: clock.now(), leadMs: 0 }))
  }
  const loaded = new Map<string, KeyPair>()
  let records: SigningKey[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  await read()

  async function read(): Promise<void> {
    readAtMs = clock.now()
    records = await directory.list('signingKey')
    for (const record of records) if (!loaded.has(record.id)) loaded.set(record.id, toKeyPair(record))
    for (const kid of loaded.keys()) if (!records.some(({ id }) => id === kid)) loaded.delete(kid)
  }

  function getSigningKey(use: Use): PrivateKey {
    const kid = findSigningKey(ofUse(records, use), clock.now())?.id ?? ''
    const key = loaded.get(kid)?.private
    if (!key) throw new Error(`The directory no longer has a signing key for "${use}"`)
    return { kid, key }
  }

  function findPublished(kid: string): SigningKey | undefined {
    return findPublishedKeys(records, clock.now()).find(({ id }) => id === kid)
  }

  return {
    get accessToken() {
      return getSigningKey('access-token')
    },
    get relayMessage() {
      return getSigningKey('relay-message')
    },
    publicJwks: () =>
      findPublishedKeys(records, clock.now()).flatMap(({ id }) => {
        const key = loaded.get(id)
        return key ? [toPublicJwk(id, key.public)] : []
      }),
    has: (kid) => loaded.has(kid),
    async findAccessTokenKey(kid) {
      if (!loaded.has(kid) && clock.now() - readAtMs >= searchEveryMs) await read()
      return findPublished(kid)?.use === 'access-token' ? loaded.get(kid)?.public : undefined
    },
    deriveSecrets(purpose) {
      const published = ofUse(findPublishedKeys(records, clock.now()), 'access-token')
      const { kid } = getSigningKey('access-token')
      const inOrder = published.toSorted((a, b) => Number(b.id === kid) - Number(a.id === kid))
      return inOrder.map((key) => deriveSecret(key, purpose))
    },
    follow: () => keepReading({ clock, everyMs: readEveryMs, read, onError }),
  }
}

/**
 * Adds a key for each use, which signs after its publish time, and removes keys whose signatures have all expired.
 * While a rotation is in progress, another one changes nothing.
 */
export async function rotateKeys({
  directory,
  clock,
}: Pick<KeysOptions, 'directory' | 'clock'>): Promise<RotatedKey[]> {
  return Promise.all(
    uses.map(async (use) => {
      const rotated = await rotate(use, { directory, clock })
      const keys = await listKeys(directory, use)
      const spent = keys.filter((key) => isSpent(key, keys, clock.now()))
      await Promise.all(spent.map(({ id }) => directory.remove('signingKey', id)))
      return rotated
    }),
  )
}

async function rotate(use: Use, { directory, clock }: Pick<KeysOptions, 'directory' | 'clock'>): Promise<RotatedKey> {
  for (;;) {
    const keys = await listKeys(directory, use)
    const pending = findPendingKey(keys, clock.now())
    if (pending) return { use, kid: pending.id, signsFromMs: pending.signsFromMs, isNew: false }
    const generation = toNextGeneration(keys)
    const leadMs = keys.length === 0 ? 0 : publishLeadMs
    const key = await createKey(use, { generation, nowMs: clock.now(), leadMs })
    // If another rotation was first, the next round finds its pending key.
    if (await directory.insert('signingKey', key)) {
      return { use, kid: key.id, signsFromMs: key.signsFromMs, isNew: true }
    }
  }
}

export function listKeys(directory: Directory, use: Use): Promise<SigningKey[]> {
  return directory.list('signingKey', { where: { index: 'use', equals: use } })
}

function ofUse(records: SigningKey[], use: Use): SigningKey[] {
  return records.filter((record) => record.use === use)
}

export async function createKey(
  use: Use,
  { generation, nowMs, leadMs }: { generation: number; nowMs: number; leadMs: number },
): Promise<SigningKey> {
  const privateJwk = generatePrivateJwk(use)
  return {
    id: await calculateJwkThumbprint(privateJwk),
    use,
    generation,
    privateJwk: { ...privateJwk },
    createdAtMs: nowMs,
    signsFromMs: nowMs + leadMs,
  }
}

function generatePrivateJwk(use: Use): JWK {
  const { privateKey } =
    use === 'access-token' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  return privateKey.export({ format: 'jwk' })
}

/** HKDF (RFC 5869) keeps the purposes apart, from each other and from the signatures. */
function deriveSecret({ privateJwk }: SigningKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(String(privateJwk.d), 'base64url'), '', `posrep ${purpose}`, 32))
}

function toPublicJwk(kid: string, key: KeyObject): Jwk {
  const { kty, x = '', y } = key.export({ format: 'jwk' })
  return kty === 'EC'
    ? { kty: 'EC', kid, use: 'sig', alg: 'ES256', crv: 'P-256', x, y }
    : { kty: 'OKP', kid, use: 'sig', alg: 'EdDSA', crv: 'Ed25519', x }
}
