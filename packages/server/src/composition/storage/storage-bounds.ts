/**
 * How much is stored, per device and per client. In: settings. Out: the bounds of the stores, for the URN of a device.
 * A client that the server made for an account without clients has a smaller allowance: anybody can have such an account.
 */
import { isOfOwnClient } from '../../devices/own-client.ts'
import type { LogBound } from '../../ports/storage/log.ts'
import type { RecentBound } from '../../ports/storage/recent-reports.ts'
import type { Settings } from '../../settings/setting-table.ts'

export type BoundSetting =
  | 'recentLimit'
  | 'recentMib'
  | 'relayBacklog'
  | 'relayBacklogMib'
  | 'clientMib'
  | 'selfRegisteredMib'

type BoundSettings = Pick<Settings, BoundSetting>

const mebibyte = 1024 * 1024

/** Bytes that the device's client may store, in each store. */
export function toBytesOfClient({
  clientMib,
  selfRegisteredMib,
}: Pick<BoundSettings, 'clientMib' | 'selfRegisteredMib'>) {
  const ofOwnClient = Math.min(selfRegisteredMib, clientMib)
  return (deviceUrn: string): number => (isOfOwnClient(deviceUrn) ? ofOwnClient : clientMib) * mebibyte
}

export function toRecentWindow({ recentLimit, recentMib }: Pick<BoundSettings, 'recentLimit' | 'recentMib'>) {
  return { limit: recentLimit, maxBytes: recentMib * mebibyte }
}

export function toRecentBound(settings: BoundSettings): (deviceUrn: string) => Omit<RecentBound, 'sinceMs'> {
  const bytesOfClient = toBytesOfClient(settings)
  const window = toRecentWindow(settings)
  return (deviceUrn) => ({ ...window, maxBytesOfClient: bytesOfClient(deviceUrn) })
}

export function toDeliveryBound(settings: BoundSettings): (deviceUrn: string) => LogBound {
  const bytesOfClient = toBytesOfClient(settings)
  const { relayBacklog: perQueue, relayBacklogMib } = settings
  const bytesPerQueue = relayBacklogMib * mebibyte
  return (deviceUrn) => ({ perQueue, bytesPerQueue, bytesPerClient: bytesOfClient(deviceUrn) })
}
