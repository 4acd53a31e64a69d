/** The orders of the device list. In: devices by ID and the chosen order. Out: the sorted devices; ties stay in the order of their IDs. */
import type { Device } from '@posrep/spec'

export const deviceOrders = ['id', 'name', 'report', 'relay'] as const
export type DeviceOrder = (typeof deviceOrders)[number]

export function toDeviceOrder(text: string | null): DeviceOrder {
  return deviceOrders.find((order) => order === text) ?? 'id'
}

/** @param devices Sorted by ID, as `listDevices` returns them. */
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

/** Sorts `roof2` before `roof10`. */
const names = new Intl.Collator('en', { numeric: true })

/** The minute of the last report, in UTC; empty without reports, so that those devices come last. */
function toLastReport({ positionReportMetrics }: Device): string {
  return positionReportMetrics?.at(-1)?.windowStart ?? ''
}

const urgencies = { Failed: 0, Inactive: 1, Active: 2 } as const

function toUrgency({ relayDetails }: Device): number {
  return relayDetails ? urgencies[relayDetails.state] : 3
}
