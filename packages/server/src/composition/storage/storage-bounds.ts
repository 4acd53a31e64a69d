/**
 * How much is stored, per device and per client. In: settings. Out: the bounds of the stores, for the URN of a device.
 * A client that the server made for an account without clients has a smaller allowance: anybody can have such an
 * account.
 */
import { isOfSensorClient } from '../../devices/sensor-client.ts'
import type { LogBound } from '../../ports/storage/log.ts'
import type { RecentBound } from '../../ports/storage/recent-reports.ts'
import type { Settings } from '../../settings/setting-table.ts'

const mebibyte = 1024 * 1024
/**
 * The allowance of a sensor client. With 100 of them (`devices/sensor-requests.ts`) and three stores, 19 GiB in all.
 */
const sensorClientMib = 64

/** Bytes that the device's client may store, in each store. */
export function toBytesOfClient({ clientMib }: Pick<Settings, 'clientMib'>) {
  const ofSensorClient = Math.min(sensorClientMib, clientMib)
  return (deviceUrn: string): number => (isOfSensorClient(deviceUrn) ? ofSensorClient : clientMib) * mebibyte
}

export function toRecentWindow({ recentLimit, recentMib }: Pick<Settings, 'recentLimit' | 'recentMib'>) {
  return { limit: recentLimit, maxBytes: recentMib * mebibyte }
}

export function toRecentBound(settings: Settings): (deviceUrn: string) => Omit<RecentBound, 'sinceMs'> {
  const bytesOfClient = toBytesOfClient(settings)
  const window = toRecentWindow(settings)
  return (deviceUrn) => ({ ...window, maxBytesOfClient: bytesOfClient(deviceUrn) })
}

export function toDeliveryBound(settings: Settings): (deviceUrn: string) => LogBound {
  const bytesOfClient = toBytesOfClient(settings)
  const { relayBacklog: perQueue, relayBacklogMib } = settings
  const bytesPerQueue = relayBacklogMib * mebibyte
  return (deviceUrn) => ({ perQueue, bytesPerQueue, bytesPerClient: bytesOfClient(deviceUrn) })
}
