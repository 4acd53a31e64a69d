/** All operator commands on the storage of a deployment. In: ports and policies. Out: one object per kind of record. */

import { createDeviceRegistry } from '../devices/registry.ts'
import type { Audit } from '../identity/audit.ts'
import { createResetLinks } from '../identity/people/reset-links.ts'
import type { Revocations } from '../identity/revocation/revocations.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, Directory } from '../ports/storage/directory.ts'
import type { Log } from '../ports/storage/log.ts'
import type { Store } from '../ports/storage/store.ts'
import { type AccountAdmin, accountAdmin } from './account-admin.ts'
import { type BuriedAdmin, buriedAdmin } from './buried-admin.ts'
import { type ClientAdmin, clientAdmin } from './client-admin.ts'
import type { EntryRules } from './entries.ts'
import { type KeyAdmin, keyAdmin } from './key-admin.ts'
import { type SensorAdmin, sensorAdmin } from './sensors/sensor-admin.ts'
import { type ImportOutcome, importSensors } from './sensors/sensor-import.ts'
import { type SensorRequests, sensorRequests } from './sensors/sensor-requests.ts'
import { type UserAdmin, userAdmin } from './user-admin.ts'

export interface Administration {
  accounts: AccountAdmin
  users: UserAdmin
  clients: ClientAdmin
  sensors: SensorAdmin
  requests: SensorRequests
  keys: KeyAdmin
  reports: BuriedAdmin
  deliveries: BuriedAdmin
  importSensors(bytes: Uint8Array): Promise<ImportOutcome>
  /** The policies that entries are validated with. */
  rules: EntryRules
}

export interface AdministrationOptions {
  directory: Directory
  store: Store
  /** The public origin of the identity provider, for links. */
  authOrigin: string | undefined
  reportLog: Log
  deliveryLog: Log
  /** Called after a sensor was removed. It must not reject. */
  onSensorRemoved?(device: DeviceRecord): Promise<void>
  revoke: Revocations['revoke']
  audit: Audit
  clock: Clock
  rules: EntryRules
}

export function createAdministration(options: AdministrationOptions): Administration {
  const { directory, store, authOrigin, reportLog, deliveryLog, onSensorRemoved, revoke, audit, clock, rules } = options
  const devices = createDeviceRegistry({ directory, clock, ...(onSensorRemoved && { onRemoved: onSensorRemoved }) })
  return {
    accounts: accountAdmin({ directory }),
    users: userAdmin({
      directory,
      resetLinks: createResetLinks({ store, directory }),
      authOrigin,
      revoke,
      audit,
      clock,
    }),
    clients: clientAdmin({ directory, clock, revoke, rules }),
    sensors: sensorAdmin({ directory, devices, clock, revoke, audit }),
    requests: sensorRequests({ directory, devices, clock, rules, audit }),
    keys: keyAdmin({ directory, clock }),
    reports: buriedAdmin({ log: reportLog, devices, clock }),
    deliveries: buriedAdmin({ log: deliveryLog, devices, clock }),
    importSensors: (bytes) => importSensors(bytes, { directory, devices, clock, rules, audit }),
    rules,
  }
}
