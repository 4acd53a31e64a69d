/**
 * Tells the air picture that an account no longer has a sensor.
 * In: a device that was removed. Out: an entry of the `AirLog`, after which the picture is without it.
 */
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import type { AirLog } from '../../ports/storage/log.ts'
import { toRemovedEntry } from './air-entry.ts'

export interface RemovedSensorsOptions {
  airLog: Pick<AirLog, 'append'>
  /** The sensor then leaves the picture when it has been silent for some time. */
  onError(error: unknown): void
}

export function createRemovedSensors({ airLog, onError }: RemovedSensorsOptions) {
  return {
    async record({ id, accountId }: Pick<DeviceRecord, 'id' | 'accountId'>): Promise<void> {
      try {
        await airLog.append([{ queue: accountId, body: toRemovedEntry(id) }])
      } catch (error) {
        onError(error)
      }
    },
  }
}
