/**
 * Records that stay and are listed by an index: accounts, users, clients, devices, consents, signing keys.
 * A backend that cannot answer rejects with `unavailable`. Concurrent changes of one record are all applied.
 */
import type { RelayState } from '@posrep/spec'

export interface Account {
  id: string
  name: string
}

export interface User {
  id: string
  /** Lower-case; unique. */
  email: string
  /** scrypt, with its parameters: `identity/password.ts` writes and reads it. */
  passwordHash: string
  accountId: string
  /** Signs in no more. */
  disabled: boolean
}

export type Grant = 'authorization_code' | 'refresh_token' | 'client_credentials'

export interface Client {
  id: string
  name: string
  accountId: string
  /** SHA-256, base64url, newest first: two while a secret is being replaced; none = public client, PKCE required. */
  secretHashes: string[]
  grants: Grant[]
  redirectUris: string[]
  scopes: string[]
  /** `<client_part>` of the URNs of this client's sensors. */
  urnPart: string
  /** A prior-authorised surveillance partner: its sensors register themselves at their first token request. */
  partner: boolean
  /** Gets no tokens any more. */
  disabled: boolean
}

export interface Relay {
  url: string
  state: RelayState
  failureDescription: string | null
  /** When the update came that made it so, or when it failed. An update that came earlier does not undo it. */
  sinceMs: number
}

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
  /** Gets no tokens until it is unblocked. */
  blocked: boolean
  /** The import that registered it; hidden until that has ended (`adapters/unfinished-imports.ts`). */
  importId?: string
}

/** The current import; one at a time. When this record is removed, its sensors appear. */
export interface SensorImport {
  id: 'current'
  importId: string
  /** Who works on it: its own process, or one that takes it back. */
  holder: string
  /** When its holder last renewed this. */
  aliveAtMs: number
}

/** A user's wish to have a sensor registered, until an operator approves or refuses it. */
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
  /** To the minute; null until a token of it is used. */
  lastUsedAtMs: number | null
}

export interface SigningKey {
  /** The JWK thumbprint (RFC 7638), published as `kid`. */
  id: string
  use: 'access-token' | 'relay-message'
  /** Counts the keys of a use, from 1; unique in it, so that of two processes one adds the next. */
  generation: number
  privateJwk: Record<string, unknown>
  /** In the JWKS from then on. */
  createdAtMs: number
  /** Signs from then on, until the next generation does. */
  signsFromMs: number
}

export interface Records {
  account: Account
  user: User
  client: Client
  device: DeviceRecord
  consent: Consent
  signingKey: SigningKey
  sensorRequest: SensorRequest
  sensorImport: SensorImport
}

export type Kind = keyof Records

/** What a kind is listed by, and what only one record of it may have. Values are read off the record. */
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
    unique: (device) => [`localId:${device.accountId}:${device.localId}`],
  },
  consent: { by: (consent) => ({ userId: consent.userId, clientId: consent.clientId }), unique: () => [] },
  signingKey: { by: (key) => ({ use: key.use }), unique: (key) => [`generation:${key.use}:${key.generation}`] },
  sensorRequest: { by: (request) => ({ accountId: request.accountId, state: request.state }), unique: () => [] },
  sensorImport: { by: () => ({}), unique: () => [] },
}

export interface ListOptions {
  /** Only records whose index has this value; all when left out. */
  where?: { index: string; equals: string }
  /** Start after this id. Records come ordered by id, in code-unit order. */
  after?: string
  limit?: number
}

export interface Directory {
  find<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>
  list<K extends Kind>(kind: K, options?: ListOptions): Promise<Records[K][]>
  /** False when the id, or a value that must be unique, is taken; nothing is written then. */
  insert<K extends Kind>(kind: K, record: Records[K]): Promise<boolean>
  /**
   * Inserts all of them or none, also when the process dies meanwhile; for bulk, up to some 100,000 at once.
   * Answers the indexes of records that are taken, by the directory or by an earlier one of the list; none = inserted.
   */
  insertAll<K extends Kind>(kind: K, records: Records[K][]): Promise<number[]>
  /**
   * Applies `change` to the record as it is now and writes the result, again if another writer was first.
   * `undefined` when there is no such record. The id and the unique values of a record do not change.
   */
  update<K extends Kind>(
    kind: K,
    id: string,
    change: (current: Records[K]) => Records[K],
  ): Promise<Records[K] | undefined>
  remove(kind: Kind, id: string): Promise<boolean>
}
