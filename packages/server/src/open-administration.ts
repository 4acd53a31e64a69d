/** Administration over the storage that the settings name, beside a server that may be running on it. */
import { type Administration, createAdministration } from './admin/administration.ts'
import { createRevocations } from './identity/revocations.ts'
import type { Clock } from './ports/clock.ts'
import type { Settings } from './settings.ts'
import { openStorage } from './storage.ts'

export interface OpenAdministration {
  administration: Administration
  close(): Promise<void>
}

/** @throws SettingsError when there is no storage, or it cannot be used. */
export async function openAdministration(settings: Settings, clock: Clock): Promise<OpenAdministration> {
  const { directory, revocationFeed, reportLog, deliveryLog, close } = await openStorage({
    settings,
    clock,
    role: 'tool',
  })
  const revocations = createRevocations({ feed: revocationFeed, clock })
  const administration = createAdministration({
    directory,
    reportLog,
    deliveryLog,
    clock,
    rules: settings,
    async revoke(subject) {
      // A mark has to lie behind those that there are.
      await revocations.read()
      await revocations.revoke(subject)
    },
  })
  return { administration, close }
}
