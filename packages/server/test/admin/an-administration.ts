/** An administration with storage in memory and two accounts, and the list of revoked subjects. */
import { createMemoryDirectory } from '../../src/adapters/memory/directory.ts'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { hideUnfinishedImports } from '../../src/adapters/unfinished-imports.ts'
import { createAdministration } from '../../src/admin/administration.ts'
import type { ClientEntry, EntryRules } from '../../src/admin/entries.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import type { AuditEvent } from '../../src/identity/audit.ts'
import type { SensorRequest } from '../../src/ports/storage/directory.ts'

export const acmeFleet: ClientEntry = {
  id: 'fleet',
  secret: 's3cret-fleet',
  name: 'Fleet',
  account: 'acme',
  grants: ['client_credentials', 'refresh_token'],
  redirectUris: [],
  scopes: ['surveillance_api'],
  partner: false,
}

/** @param place Where the identity provider is, if it is known. */
export async function anAdministration(
  rules: Partial<EntryRules> = {},
  place: { authOrigin: string | undefined } = { authOrigin: 'https://auth.example' },
) {
  const directory = hideUnfinishedImports(createMemoryDirectory())
  const clock = createManualClock(Date.parse('2026-01-07T06:22:45Z'))
  const revoked: string[] = []
  const audited: AuditEvent[] = []
  const removedSensors: string[] = []
  const reportLog = createMemoryLog({ clock })
  const admin = createAdministration({
    directory,
    store: createMemoryStore({ clock }),
    ...place,
    reportLog,
    deliveryLog: createMemoryLog({ clock }),
    onSensorRemoved: async ({ id }) => void removedSensors.push(id),
    clock,
    revoke: async (subject) => void revoked.push(subject),
    audit: (event) => audited.push(event),
    rules: { sensorIdPolicy: 'strict', allowLoopbackRedirects: false, ...rules },
  })
  await admin.accounts.add({ id: 'acme', name: 'Acme Sensing' })
  await admin.accounts.add({ id: 'rival', name: 'Rival' })
  await admin.clients.add(acmeFleet)
  await admin.clients.add({ ...acmeFleet, id: 'rival-fleet', account: 'rival' })

  return { ...admin, directory, reportLog, clock, revoked, audited, removedSensors }
}

export function aRequest(request: Partial<SensorRequest> = {}): SensorRequest {
  return {
    id: 'request-1',
    accountId: 'acme',
    clientId: 'fleet',
    localId: 'roof1',
    name: 'Roof',
    requestedBy: 'user-1',
    requestedAtMs: Date.parse('2026-01-07T06:00:00Z'),
    state: 'pending',
    ...request,
  }
}
