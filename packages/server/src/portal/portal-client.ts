/**
 * The portal as a client of the identity provider: public, with PKCE, registered by the server itself.
 * In: the UI's public origin. Out: the records of the directory, made or brought up to date; the approval page shows both.
 */
import type { Client, Directory } from '../ports/directory.ts'
import { callbackPath } from './pages/paths.ts'

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

/** An operator who disabled it finds it disabled. */
export async function registerPortalClient(directory: Directory, uiOrigin: string): Promise<void> {
  const client = toClient(uiOrigin)
  await directory.insert('account', account)
  if (await directory.insert('client', client)) return
  const current = await directory.find('client', client.id)
  if (current?.redirectUris.join() === client.redirectUris.join()) return
  await directory.update('client', client.id, (before) => ({ ...before, redirectUris: client.redirectUris }))
}
