/** Opens the storage of the settings for operator commands. A server may be running on the same storage. */
import { type Administration, createAdministration } from '../admin/administration.ts'
import { createDeviceTools, type DeviceTools } from '../admin/devices/device-tools.ts'
import { createDeviceRegistry } from '../devices/registry.ts'
import type { Audit } from '../identity/audit.ts'
import { createRevocations } from '../identity/revocation/revocations.ts'
import type { Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/setting-table.ts'
import { createAfterRemoval } from './after-removal.ts'
import { findDevelopmentCa, readRelayCa, toRelayCa } from './listening/certificate.ts'
import { openStorage } from './storage/storage.ts'

export interface OpenAdministration {
  administration: Administration & { deviceTools: DeviceTools }
  close(): Promise<void>
}

/**
 * @param audit Gets the events of the commands. @throws SettingsError when the storage does not exist or cannot be
 * used.
 */
export async function openAdministration(settings: Settings, clock: Clock, audit: Audit): Promise<OpenAdministration> {
  const storage = await openStorage({ settings, clock, role: 'tool' })
  const { directory, store, revocationFeed, reportLog, deliveryLog, close } = storage
  // The command has done its work without this; the sensor leaves the picture when it has been silent for some time.
  const onSensorRemoved = createAfterRemoval({ storage, isAirOn: settings.air === 'on', onError: () => {} })
  const revocations = createRevocations({ feed: revocationFeed, clock })
  const administration = createAdministration({
    directory,
    store,
    authOrigin: settings.authOrigin,
    reportLog,
    deliveryLog,
    onSensorRemoved,
    clock,
    audit,
    rules: settings,
    async revoke(subject) {
      // A new revocation must be later than the existing ones.
      await revocations.read()
      await revocations.revoke(subject)
    },
  })
  const devices = createDeviceRegistry({ directory, clock })
  const extraCa = toRelayCa([await findDevelopmentCa(settings.dataDir), await readRelayCa(settings)])
  const deviceTools = createDeviceTools({ ...storage, devices, clock, audit, settings, extraCa })
  return { administration: { ...administration, deviceTools }, close }
}
