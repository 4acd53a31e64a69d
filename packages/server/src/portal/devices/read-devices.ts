/**
 * Reads all devices of the account for a list.
 * In: a visit. Out: the devices, without what takes much memory, and the positions of all of them per minute.
 */
import type { Device } from '@posrep/spec'
import type { Visit } from '../visit/visit.ts'

export interface AllDevices {
  /** The metrics of each are cut to the last two minutes. */
  devices: Device[]
  /** Start of the minute in ms → positions of all devices. */
  positionsPerMinute: Map<number, number>
}

export async function readDevices({ call }: Pick<Visit, 'call'>): Promise<AllDevices> {
  const devices: Device[] = []
  const positionsPerMinute = new Map<number, number>()
  for await (const items of (await call('listDevices', {})).items()) {
    for (const item of items) {
      // The operation made it of a device.
      const device = JSON.parse(item) as Device
      for (const { windowStart, positions } of device.positionReportMetrics ?? []) {
        const minute = Date.parse(windowStart)
        positionsPerMinute.set(minute, (positionsPerMinute.get(minute) ?? 0) + positions)
      }
      devices.push({ ...device, positionReportMetrics: device.positionReportMetrics?.slice(-2) ?? null })
    }
  }
  return { devices, positionsPerMinute }
}
