/** Converts a device record to the device of the API (specification, "Device"). */
import type { Device, RelayDetails } from '@posrep/spec'
import type { DeviceRecord, Relay } from '../ports/storage/directory.ts'
import type { DeviceMetrics } from '../ports/storage/recent-reports.ts'

/** @param metrics Null in the response of the relay update. */
export function toDevice(record: DeviceRecord, metrics: DeviceMetrics | null): Device {
  const lastMs = metrics?.lastReceivedAtMs
  return {
    deviceId: record.id,
    deviceCreationTimestamp: new Date(record.createdAtMs).toISOString(),
    deviceName: record.name,
    positionReportMetrics: metrics?.minutes ?? null,
    relayDetails: record.relay && toRelayDetails(record.relay),
    shouldStorePositionReportMetrics: record.storePositionReports,
    lastReportAt: lastMs === undefined ? null : new Date(lastMs).toISOString(),
    tags: record.tags ?? [],
  }
}

function toRelayDetails({ url, state, failureDescription }: Relay): RelayDetails {
  return { url, state, failureDescription }
}
