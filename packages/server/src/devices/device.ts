/** A device as the API shows it (specification, "Device"). */
import type { Device, PositionReportMetric } from '@posrep/spec'
import type { DeviceRecord } from '../ports/directory.ts'

export function toDevice(record: DeviceRecord, positionReportMetrics: PositionReportMetric[] | null): Device {
  return {
    deviceId: record.id,
    deviceCreationTimestamp: new Date(record.createdAtMs).toISOString(),
    deviceName: record.name,
    positionReportMetrics,
    relayDetails: record.relay,
    shouldStorePositionReportMetrics: record.storePositionReports,
  }
}
