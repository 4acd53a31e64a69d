/**
 * Registers the portal as an OAuth client of our own identity provider: a public client with PKCE.
 * In: the public origin of the UI. Out: an account and a client in the directory, created or updated. Users see both
 * names on the approval page.
 */
import type { Client, Directory } from '../../ports/storage/directory.ts'
import { callbackPath } from '../layout/paths.ts'

export const portalClientId = 'posrep-portal'

const account = { id: portalClientId, name: 'Posrep, this server' }

function toClient(uiOrigin: string): Client {
  return {
    id: portalClientId,
    name: 'Posrep portal',
    accountId: account.id,
    secretHashes: [],
    grants: ['authorization_code', 'refresh_token'],
    redirectUris: [`${uiOrigin}${callbackPath}`],
    scopes: ['surveillance_api'],
    urnPart: portalClientId,
    partner: false,
    disabled: false,
  }
}

/** Updates the redirect URI only, so a portal that an operator disabled stays disabled. */
export async function registerPortalClient(directory: Directory, uiOrigin: string): Promise<void> {
  const client = toClient(uiOrigin)
  await directory.insert('account', account)
  if (await directory.insert('client', client)) return
  const current = await directory.find('client', client.id)
  if (current?.redirectUris.join() === client.redirectUris.join()) return
  await directory.update('client', client.id, (before) => ({ ...before, redirectUris: client.redirectUris }))
}
