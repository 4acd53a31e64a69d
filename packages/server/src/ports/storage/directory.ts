/**
 * Permanent records, listed by an index: accounts, users, clients, devices, consents, signing keys.
 * A backend that cannot answer rejects with `unavailable`. Concurrent changes to one record are all applied.
 */
import type { AirAreaList, RelayState } from '@posrep/spec'

export interface Account {
  id: string
  name: string
}

export interface User {
  id: string
  /** Lower-case; unique. */
  email: string
  /** scrypt, with its parameters. `identity/people/password.ts` writes and reads it. */
  passwordHash: string
  accountId: string
  /** A disabled user cannot sign in. */
  disabled: boolean
}

export type Grant = 'authorization_code' | 'refresh_token' | 'client_credentials'

export interface Client {
  id: string
  name: string
  accountId: string
  /**
   * SHA-256, base64url, newest first. Two while a secret is being replaced. None for a public client, which must use
   * PKCE.
   */
  secretHashes: string[]
  grants: Grant[]
  redirectUris: string[]
  /** Origins of browser apps beside those of the redirect URIs; absent in records of earlier versions. */
  origins?: string[]
  scopes: string[]
  /** `<client_part>` of the URNs of this client's sensors. */
  urnPart: string
  /**
   * True for a prior-authorised surveillance partner: its sensors register themselves with their first token request.
   */
  partner: boolean
  /** A disabled client gets no tokens. */
  disabled: boolean
}

export interface Relay {
  url: string
  state: RelayState
  failureDescription: string | null
  /**
   * When the update that set this state arrived, or when the relay failed. An update that arrived earlier does not undo
   * it.
   */
  sinceMs: number
}

/**
 * Why a device may be paired, when other accounts have its local ID too (`devices/registry.ts`).
 * `allowed`: an operator registered the device, or allowed its pairing. `first`: it was registered without an operator
 * when no other account had the local ID. `later`: another account had the local ID already, so it may not be paired
 * yet.
 */
export type PairingRight = 'allowed' | 'first' | 'later'

export interface DeviceRecord {
  /** `urn:aa:device:<client_part>:<local_sensor_id>` */
  id: string
  localId: string
  name: string
  accountId: string
  clientId: string
  createdAtMs: number
  storePositionReports: boolean
  relay: Relay | null
  /** A blocked device gets no tokens until it is unblocked. */
  blocked: boolean
  pairing: PairingRight
  /** Words by which the account's users group devices; absent before the first were given. */
  tags?: string[]
  /**
   * The import that registered the device. The device is hidden until that import ends
   * (`adapters/unfinished-imports.ts`).
   */
  importId?: string
}

/**
 * A device that was removed. Its account keeps the right to the local ID for some time, and is charged for what
 * outlives the device in the storage (`devices/former-devices.ts`).
 */
export interface FormerDevice extends Pick<DeviceRecord, 'id' | 'localId' | 'accountId' | 'createdAtMs' | 'pairing'> {
  removedAtMs: number
  /** Whether its account left the local ID to others. Also true if another account had the local ID first. */
  isReleased: boolean
}

/** A URN part whose client was removed: receivers may still trust it as the former account's. */
export interface FormerUrnPart {
  /** The URN part. */
  id: string
  accountId: string
  removedAtMs: number
}

/** The current import; there is one at a time. When this record is removed, its sensors appear. */
export interface SensorImport {
  id: 'current'
  importId: string
  /** The process that runs the import, or the one that rolls it back. */
  holder: string
  /** When the holder last renewed this record. */
  aliveAtMs: number
}

/** A user's request to register a sensor. An operator approves or refuses it. */
export interface SensorRequest {
  id: string
  accountId: string
  clientId: string
  localId: string
  name: string
  requestedBy: string
  requestedAtMs: number
  state: 'pending' | 'approved' | 'refused'
}

/** A user's approval of one client. */
export interface Consent {
  /** `<userId>:<clientId>` */
  id: string
  userId: string
  clientId: string
  scopes: string[]
  grantedAtMs: number
  /** Rounded to the minute; null until a token of this consent is used. */
  lastUsedAtMs: number | null
}

export interface SigningKey {
  /** The JWK thumbprint (RFC 7638), published as `kid`. */
  id: string
  use: 'access-token' | 'relay-message'
  /** Numbers the keys of one use, from 1. It is unique per use, so only one of two processes can add the next key. */
  generation: number
  privateJwk: Record<string, unknown>
  /** The JWKS contains the key from this time on. */
  createdAtMs: number
  /** The key signs from this time on, until the next generation signs. */
  signsFromMs: number
}

/** The areas that the air picture of an account watches. */
export interface AirAreasRecord {
  /** The account. */
  id: string
  areas: AirAreaList
}

export interface Records {
  account: Account
  user: User
  client: Client
  device: DeviceRecord
  formerDevice: FormerDevice
  formerUrnPart: FormerUrnPart
  consent: Consent
  signingKey: SigningKey
  sensorRequest: SensorRequest
  sensorImport: SensorImport
  airAreas: AirAreasRecord
}

export type Kind = keyof Records

/**
 * The values that records of a kind are listed by, and the values that must be unique. Both are computed from the
 * record.
 */
export const indexes: {
  [K in Kind]: { by: (record: Records[K]) => Record<string, string>; unique: (record: Records[K]) => string[] }
} = {
  account: { by: () => ({}), unique: () => [] },
  user: { by: (user) => ({ accountId: user.accountId, email: user.email }), unique: (user) => [`email:${user.email}`] },
  client: { by: (client) => ({ accountId: client.accountId, urnPart: client.urnPart }), unique: () => [] },
  device: {
    by: ({ accountId, clientId, localId, importId }) => ({
      accountId,
      clientId,
      localId,
      ...(importId !== undefined && { importId }),
    }),
    // A local sensor ID is unique within the account (specification, "Sensor identifiers").
    // Of the devices of all accounts that are registered without an operator, one is the first with its local ID.
    unique: ({ accountId, localId, pairing }) => [
      `localId:${accountId}:${localId}`,
      ...(pairing === 'first' ? [`first:${localId}`] : []),
    ],
  },
  formerDevice: { by: ({ accountId, localId }) => ({ accountId, localId }), unique: () => [] },
  formerUrnPart: { by: ({ accountId }) => ({ accountId }), unique: () => [] },
  consent: { by: (consent) => ({ userId: consent.userId, clientId: consent.clientId }), unique: () => [] },
  signingKey: { by: (key) => ({ use: key.use }), unique: (key) => [`generation:${key.use}:${key.generation}`] },
  sensorRequest: { by: (request) => ({ accountId: request.accountId, state: request.state }), unique: () => [] },
  sensorImport: { by: () => ({}), unique: () => [] },
  airAreas: { by: () => ({}), unique: () => [] },
}

export interface ListOptions {
  /** Only records whose index has this value. Default: all records. */
  where?: { index: string; equals: string }
  /** Start after this id. Records are ordered by id, in code-unit order. */
  after?: string
  limit?: number
  /** Also the sensors of an import that has not ended (`adapters/unfinished-imports.ts`). Default false. */
  withUnfinished?: boolean
}

export interface Directory {
  find<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>
  list<K extends Kind>(kind: K, options?: ListOptions): Promise<Records[K][]>
  /** The number of records that `list` would return, also of those in an unfinished import; reads none of them. */
  count(kind: Kind, options?: Pick<ListOptions, 'where'>): Promise<number>
  /** False, and nothing is written, when the id or a unique value is taken. */
  insert<K extends Kind>(kind: K, record: Records[K]): Promise<boolean>
  /**
   * Inserts all records or none, even if the process dies during the call. For bulk inserts, up to about 100,000 at
   * once. Returns the indexes of the records whose id or unique value is taken, by the directory or by an earlier
   * record of the list. An empty array means that all were inserted.
   */
  insertAll<K extends Kind>(kind: K, records: Records[K][]): Promise<number[]>
  /**
   * Applies `change` to the current record and writes the result. Repeats both if another writer was first.
   * `undefined` when there is no such record. `change` must not change the id or the unique values.
   */
  update<K extends Kind>(
    kind: K,
    id: string,
    change: (current: Records[K]) => Records[K],
  ): Promise<Records[K] | undefined>
  remove(kind: Kind, id: string): Promise<boolean>
}
