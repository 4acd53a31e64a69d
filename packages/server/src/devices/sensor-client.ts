/**
 * The client that the server creates for the sensors of an account without clients (docs/decisions/0029).
 * In: the account. Out: the client's record, the same at every call. The client has no secret and no grants, so it
 * cannot request tokens: a sensor gets its tokens by pairing and refreshes them with the client's id.
 */
import { createHash } from 'node:crypto'
import type { Account, Client, Directory } from '../ports/storage/directory.ts'
import { clientOf } from '../ports/storage/log.ts'
import { toUrn } from './local-id.ts'

const idStart = 'sensors-'
const ofSensorClients = new RegExp(`^${toUrn(`${idStart}[0-9a-f]{16}`, '')}`)

export function toSensorClient({ id, name }: Account): Client {
  const clientId = `${idStart}${toShortName(id)}`
  return {
    id: clientId,
    name: `Sensors of ${name}`.slice(0, maxNameLength).toWellFormed(),
    accountId: id,
    secretHashes: [],
    grants: [],
    redirectUris: [],
    scopes: ['surveillance_api'],
    urnPart: clientId,
    partner: false,
    disabled: false,
  }
}

/** Creates the client unless it exists. False when another account has a client with this id. */
export async function ensureSensorClient(
  directory: Pick<Directory, 'find' | 'insert'>,
  client: Client,
): Promise<boolean> {
  if (await directory.insert('client', client)) return true
  const existing = await directory.find('client', client.id)
  return existing?.accountId === client.accountId
}

export function isSensorClient({ urnPart }: Pick<Client, 'urnPart'>): boolean {
  return isOfSensorClient(toUrn(urnPart, ''))
}

/** Whether the URN is that of a device of such a client. */
export function isOfSensorClient(deviceUrn: string): boolean {
  return ofSensorClients.test(deviceUrn)
}

/** Counts the clients of this kind that have sensors, up to `limit`. */
export async function countSensorClientsInUse(directory: Pick<Directory, 'list'>, limit: number): Promise<number> {
  let count = 0
  // Devices are ordered by URN, so those of a client follow each other.
  for (let after = toUrn(idStart, '').slice(0, -1); count < limit; count++) {
    const [device] = await directory.list('device', { after, limit: 1, withUnfinished: true })
    if (!device || !isOfSensorClient(device.id)) break
    // A local ID begins with a letter, a digit or a character that precedes "~".
    after = `${clientOf(device.id)}:~`
  }
  return count
}

/** The maximum length of a client's name. */
const maxNameLength = 200

/**
 * A part of a URN must be short and have letters and digits only; an account's id may be long and have other
 * characters.
 */
function toShortName(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex').slice(0, 16)
}
