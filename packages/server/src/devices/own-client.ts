/**
 * The client of an account that has none: what its headless sensors belong to (docs/decisions/0029).
 * In: the account. Out: the client's record, the same at every call. It has no secret and no grant, so that nobody gets a
 * token with it: a sensor gets its first ones by pairing, and refreshes them with the client's name alone.
 */
import { createHash } from 'node:crypto'
import type { Account, Client, Directory } from '../ports/directory.ts'

export function toOwnClient({ id, name }: Account): Client {
  const clientId = `sensors-${toShortName(id)}`
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

/** False when the id is somebody else's, who chose it on purpose. Whoever comes second finds what the first has made. */
export async function hasOwnClient(directory: Pick<Directory, 'find' | 'insert'>, client: Client): Promise<boolean> {
  if (await directory.insert('client', client)) return true
  const existing = await directory.find('client', client.id)
  return existing?.accountId === client.accountId
}

/** As long as a client's name may be. */
const maxNameLength = 200

/** Short and of letters and digits, as a part of URNs has to be; an account's id may be neither. */
function toShortName(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex').slice(0, 16)
}
