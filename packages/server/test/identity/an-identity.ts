/**
 * An identity provider over memory adapters or a given storage, seeded with one account, one user and a client of each
 * kind.
 */

import { memoryStorage } from '../../src/composition/storage/storage.ts'
import type { Storage } from '../../src/composition/storage/storage-ports.ts'
import { createManualClock, type ManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import { toOperationRequest } from '../../src/http/operation/operation-request.ts'
import type { AuditEvent } from '../../src/identity/audit.ts'
import { createIdentityProvider, type IdentityOptions } from '../../src/identity/identity.ts'
import { toOAuthError } from '../../src/identity/oauth-error.ts'
import { hashPassword } from '../../src/identity/people/password.ts'
import type { Client } from '../../src/ports/storage/directory.ts'
import type { Store } from '../../src/ports/storage/store.ts'
import { hashSecret } from '../../src/secrets.ts'

export const origins = {
  auth: 'https://auth.example',
  ingest: 'https://ingest.example',
  ui: 'https://ui.example',
}

export const pilot = { email: 'pilot@example.com', password: 'correct horse 42', id: 'user-pilot' }
// A low cost makes the tests quick; the stored hash includes its parameters.
const passwordHash = await hashPassword(pilot.password, { logN: 8, r: 8, p: 1 })

export function aClient(client: Partial<Client> = {}): Client {
  return {
    id: 'map-view',
    name: 'Map view',
    accountId: 'acme',
    secretHashes: [hashSecret('s3cret-map-view')],
    grants: ['authorization_code', 'refresh_token'],
    redirectUris: ['https://app.example/callback'],
    scopes: ['surveillance_api', 'profile'],
    urnPart: 'acme',
    partner: false,
    disabled: false,
    ...client,
  }
}

export const clients = {
  mapView: aClient(),
  browserApp: aClient({ id: 'browser-app', name: 'Browser app', secretHashes: [] }),
  fleet: aClient({
    id: 'fleet',
    name: 'Fleet',
    secretHashes: [hashSecret('s3cret-fleet')],
    grants: ['client_credentials', 'refresh_token'],
    redirectUris: [],
    scopes: ['surveillance_api'],
  }),
  partner: aClient({
    id: 'partner',
    secretHashes: [hashSecret('s3cret-partner')],
    grants: ['client_credentials', 'refresh_token'],
    redirectUris: [],
    scopes: ['surveillance_api'],
    partner: true,
  }),
  rival: aClient({
    id: 'rival',
    accountId: 'rival',
    urnPart: 'rival',
    secretHashes: [hashSecret('s3cret-rival')],
    grants: ['authorization_code', 'client_credentials', 'refresh_token'],
  }),
}

export type IdentityStorage = Pick<Storage, 'store' | 'directory' | 'revocationFeed'>

/** `again` opens the same storage over another connection, as another process does. */
export type OpenIdentityStorage = (options: {
  clock: ManualClock
}) => Promise<IdentityStorage & { again?: () => Promise<IdentityStorage> }>

export interface IdentityTestOptions extends Partial<Omit<IdentityOptions, 'clock'>> {
  /** Opens the storage. Default: memory. */
  open?: OpenIdentityStorage
  /** Wraps the store, to fail or to count. */
  wrapStore?: (store: Store) => Store
}

export type TestIdentity = Awaited<ReturnType<typeof anIdentity>>

export type TestProcess = Awaited<ReturnType<typeof aProcess>>

export async function anIdentity({
  open = async ({ clock }) => memoryStorage({ clock }),
  wrapStore = (store) => store,
  ...options
}: IdentityTestOptions = {}) {
  const clock = createManualClock()
  const storage = await open({ clock })
  const { directory, revocationFeed } = storage
  const over = (link: IdentityStorage) => ({
    store: wrapStore(link.store),
    devices: createDeviceRegistry({ directory: link.directory, clock }),
  })
  const { store, devices } = over(storage)
  await directory.insert('account', { id: 'acme', name: 'Acme Sensing' })
  await directory.insert('account', { id: 'rival', name: 'Rival' })
  await directory.insert('user', { id: pilot.id, email: pilot.email, passwordHash, accountId: 'acme', disabled: false })
  for (const client of Object.values(clients)) await directory.insert('client', client)
  const roof = await devices.registerItself({ client: clients.fleet, localId: 'roof1' })

  const audited: AuditEvent[] = []
  const audit = (event: AuditEvent) => audited.push(event)
  const common = { store, directory, revocationFeed, devices, clock, origins, audit, ...options }

  return {
    ...(await aProcess(common)),
    clock,
    directory,
    store,
    revocationFeed,
    devices,
    roof,
    audited,
    /** Another process of the deployment, over the same storage. */
    async another(others: Partial<IdentityOptions> = {}) {
      const own = await storage.again?.()
      return aProcess({ ...common, ...(own && { ...own, ...over(own) }), ...options, ...others })
    },
  }
}

async function aProcess(options: IdentityOptions) {
  const { revoke, ...identity } = await createIdentityProvider(options)

  /** POST /oauth/v2/token or /revoke, as the router calls it. */
  async function post(operation: 'issueToken' | 'revokeToken', body: Record<string, unknown>, authorization?: string) {
    const headers = authorization === undefined ? {} : { authorization }
    // Some tests send what the document does not allow.
    const request = { ...toOperationRequest<'getJwks'>({}, { headers, address: '192.0.2.7' }), body } as never
    const answer = await identity.operations[operation](request).catch(toOAuthError)
    return { status: answer.status, headers: answer.headers ?? {}, body: answer.body as Record<string, string> }
  }

  return {
    ...identity,
    /** The identity provider's own `revoke`; the member `revoke` is the HTTP operation. */
    end: revoke,
    token: (body: Record<string, unknown>, authorization?: string) => post('issueToken', body, authorization),
    revoke: (body: Record<string, unknown>, authorization?: string) => post('revokeToken', body, authorization),
    refresh: (refreshToken: string | undefined, fields: Record<string, unknown> = mapViewCredentials) =>
      post('issueToken', { grant_type: 'refresh_token', refresh_token: refreshToken, ...fields }),
  }
}

export const mapViewCredentials = { client_id: 'map-view', client_secret: 's3cret-map-view' }
export const fleetCredentials = { client_id: 'fleet', client_secret: 's3cret-fleet' }

export const deviceTokenRequest = {
  grant_type: 'client_credentials',
  ...fleetCredentials,
  scope: 'surveillance_api',
  token_format: 'jwt',
  device_id: 'roof1',
}
