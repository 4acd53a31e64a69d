/** In which order a list of devices comes. In: what was chosen. Out: the devices, those that are equal in it by their IDs. */
import type { Device } from '@posrep/spec'

export const deviceOrders = ['id', 'name', 'report', 'relay'] as const
export type DeviceOrder = (typeof deviceOrders)[number]

export function toDeviceOrder(text: string | null): DeviceOrder {
  return deviceOrders.find((order) => order === text) ?? 'id'
}

/** @param devices By their IDs, as the operation lists them. */
export function sortDevices(devices: readonly Device[], order: DeviceOrder): Device[] {
  switch (order) {
    case 'id':
      return [...devices]
    case 'name':
      return devices.toSorted((a, b) => names.compare(a.deviceName, b.deviceName))
    case 'report':
      return devices.toSorted((a, b) => toLastReport(b).localeCompare(toLastReport(a)))
    case 'relay':
      return devices.toSorted((a, b) => toUrgency(a) - toUrgency(b))
  }
}

/** `roof2` before `roof10`. */
const names = new Intl.Collator('en', { numeric: true })

/** The minute, in UTC; those that reported nothing come last. */
function toLastReport({ positionReportMetrics }: Device): string {
  return positionReportMetrics?.at(-1)?.windowStart ?? ''
}

const urgencies = { Failed: 0, Inactive: 1, Active: 2 } as const

function toUrgency({ relayDetails }: Device): number {
  return relayDetails ? urgencies[relayDetails.state] : 3
}
