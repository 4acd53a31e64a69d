/**
 * Reads all devices of the account for a list.
 * In: a visit. Out: the devices, without what takes much memory, and the positions of all of them per minute.
 */
import { createHash } from 'node:crypto'
import type { Device } from '@posrep/spec'
import { toJsonText } from '../../http/operation/json-text.ts'
import type { Visit } from '../visit/visit.ts'

export interface AllDevices {
  /** The metrics of each are cut to the last two minutes. */
  devices: Device[]
  /** Differs when any device, with its metrics, does. */
  version: string
  /** Start of the minute in ms → positions of all devices. */
  positionsPerMinute: Map<number, number>
}

export function readDevices({ call, share }: Pick<Visit, 'call' | 'share'>): Promise<AllDevices> {
  return share('devices', () => readAll(call))
}

async function readAll(call: Visit['call']): Promise<AllDevices> {
  const digest = createHash('sha1')
  const devices: Device[] = []
  const positionsPerMinute = new Map<number, number>()
  for await (const items of (await call('listDevices', {})).items()) {
    for (const item of items) {
      digest.update(toJsonText(item))
      // The operation makes no text of its own.
      const device = item as Device
      for (const { windowStart, positions } of device.positionReportMetrics ?? []) {
        const minute = Date.parse(windowStart)
        positionsPerMinute.set(minute, (positionsPerMinute.get(minute) ?? 0) + positions)
      }
      devices.push({ ...device, positionReportMetrics: device.positionReportMetrics?.slice(-2) ?? null })
    }
  }
  return { devices, version: digest.digest('base64'), positionsPerMinute }
}
