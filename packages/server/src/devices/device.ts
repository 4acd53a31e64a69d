/** Converts a device record to the device of the API (specification, "Device"). */
import type { Device, PositionReportMetric, RelayDetails } from '@posrep/spec'
import type { DeviceRecord, Relay } from '../ports/storage/directory.ts'

export function toDevice(record: DeviceRecord, positionReportMetrics: PositionReportMetric[] | null): Device {
  return {
    deviceId: record.id,
    deviceCreationTimestamp: new Date(record.createdAtMs).toISOString(),
    deviceName: record.name,
    positionReportMetrics,
    relayDetails: record.relay && toRelayDetails(record.relay),
    shouldStorePositionReportMetrics: record.storePositionReports,
  }
}

function toRelayDetails({ url, state, failureDescription }: Relay): RelayDetails {
  return { url, state, failureDescription }
}
