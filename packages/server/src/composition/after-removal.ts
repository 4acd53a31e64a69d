/**
 * What else happens when a device is removed, by its owner or by an operator.
 * In: the removed device. Out: it leaves the air picture; its pending messages are set aside at once; no counter is
 * kept for it.
 */
import { toRemovedEntry } from '../air/log/air-entry.ts'
import { forgetFamilySlots } from '../identity/tokens/family-slots.ts'
import type { DeviceRecord } from '../ports/storage/directory.ts'
import type { Storage } from './storage/storage-ports.ts'

export interface AfterRemovalOptions {
  storage: Pick<Storage, 'store' | 'airLog' | 'deliveryLog'>
  isAirOn: boolean
  /** Called for each step that failed: the device is removed all the same. */
  onError(error: unknown): void
}

export function createAfterRemoval({ storage, isAirOn, onError }: AfterRemovalOptions) {
  const { store, airLog, deliveryLog } = storage
  return async ({ id: deviceUrn, accountId, clientId }: DeviceRecord): Promise<void> => {
    await Promise.all([
      // If it fails, the sensor leaves the picture when it has been silent for some time.
      isAirOn && airLog.append([{ queue: accountId, body: toRemovedEntry(deviceUrn) }]).catch(onError),
      deliveryLog.wake(deviceUrn).catch(onError),
      forgetFamilySlots(store, { clientId, subject: { kind: 'device', deviceUrn } }).catch(onError),
    ])
  }
}
