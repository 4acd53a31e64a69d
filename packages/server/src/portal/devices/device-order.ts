/**
 * The orders of the device list. In: devices by ID, the chosen order, and the state of the account. Out: the sorted
 * devices; ties stay in the order of their names.
 */
import type { Device } from '@posrep/spec'
import { type AccountState, findLastReportMs, toUrgency } from './device-state.ts'

export const deviceOrders = [
  'attention',
  'group',
  'name',
  'name-last',
  'id',
  'report',
  'report-oldest',
  'relay',
  'relay-last',
] as const
export type DeviceOrder = (typeof deviceOrders)[number]

export function toDeviceOrder(text: string | null): DeviceOrder {
  return deviceOrders.find((order) => order === text) ?? 'attention'
}

export function sortDevices(devices: readonly Device[], order: DeviceOrder, state: AccountState): Device[] {
  const byName = devices.toSorted(
    (a, b) => natural.compare(a.deviceName, b.deviceName) || natural.compare(a.deviceId, b.deviceId),
  )
  switch (order) {
    case 'attention':
      return byName.sort((a, b) => toUrgency(a, state) - toUrgency(b, state) || toLastMs(b, state) - toLastMs(a, state))
    case 'group':
      return byName.sort((a, b) => compareGroups(findGroup(a), findGroup(b)))
    case 'name':
      return byName
    case 'name-last':
      return byName.reverse()
    case 'id':
      return byName.sort((a, b) => natural.compare(a.deviceId, b.deviceId))
    case 'report':
      return byName.sort((a, b) => toLastMs(b, state) - toLastMs(a, state))
    case 'report-oldest':
      return byName.sort((a, b) => toLastMs(a, state) - toLastMs(b, state))
    case 'relay':
      return byName.sort((a, b) => toRelayUrgency(a, state) - toRelayUrgency(b, state))
    case 'relay-last':
      return byName.sort((a, b) => toRelayUrgency(b, state) - toRelayUrgency(a, state))
  }
}

/** The first tag of a device. */
export function findGroup({ tags }: Device): string | undefined {
  return tags?.[0]
}

/** Devices without a tag come last. */
function compareGroups(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return natural.compare(a, b) || Number(a > b) - Number(a < b)
}

/** Sorts `roof2` before `roof10`. */
const natural = new Intl.Collator('en', { numeric: true })

/** To the minute, so that live devices do not change places with every report; 0 without reports. */
function toLastMs(device: Device, state: AccountState): number {
  return Math.floor((findLastReportMs(device, state) ?? 0) / 60_000)
}

const relayUrgencies = { Failed: 0, Inactive: 2, Active: 3 } as const

function toRelayUrgency({ deviceId, relayDetails }: Device, { retrying }: AccountState): number {
  if (retrying.has(deviceId)) return 1
  return relayDetails ? relayUrgencies[relayDetails.state] : 4
}
