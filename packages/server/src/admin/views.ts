/** Records as operators see them, with the field names of the seed file and without secrets. */
import type { Account, Client, DeviceRecord, SensorRequest, User } from '../ports/storage/directory.ts'

export type AccountView = Account

export interface UserView {
  email: string
  id: string
  account: string
  disabled: boolean
}

export interface ClientView {
  id: string
  name: string
  account: string
  grants: string[]
  redirectUris: string[]
  origins: string[]
  scopes: string[]
  urnPart: string
  partner: boolean
  /** The number of valid secrets: 0 = a public client, 2 while one is being replaced. */
  secrets: number
  disabled: boolean
}

export interface SensorView {
  urn: string
  localId: string
  name: string
  client: string
  account: string
  createdAt: string
  blocked: boolean
  relay: { url: string; state: string } | null
}

export interface SensorRequestView {
  id: string
  account: string
  client: string
  localId: string
  name: string
  requestedBy: string
  requestedAt: string
  state: SensorRequest['state']
  /** Other accounts that have a sensor with this local ID. */
  alsoIn: string[]
}

/** A sensor that an operator registered. */
export interface RegisteredSensorView extends SensorView {
  /** Other accounts that have a sensor with this local ID. The new one may be paired nevertheless. */
  alsoIn: string[]
}

export function toUserView({ email, id, accountId, disabled }: User): UserView {
  return { email, id, account: accountId, disabled }
}

export function toClientView({ accountId, secretHashes, disabled, ...client }: Client): ClientView {
  const { id, name, grants, redirectUris, origins = [], scopes, urnPart, partner } = client
  const secrets = secretHashes.length
  return { id, name, account: accountId, grants, redirectUris, origins, scopes, urnPart, partner, secrets, disabled }
}

export function toSensorView({ id, localId, name, clientId, accountId, ...device }: DeviceRecord): SensorView {
  return {
    urn: id,
    localId,
    name,
    client: clientId,
    account: accountId,
    createdAt: toTime(device.createdAtMs),
    blocked: device.blocked,
    relay: device.relay && { url: device.relay.url, state: device.relay.state },
  }
}

/** RFC 3339, UTC, to the second. */
export function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
