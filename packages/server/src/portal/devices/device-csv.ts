/** The list of devices as CSV (RFC 4180). A cell that a spreadsheet would take for a formula starts with an apostrophe. */
import type { Device } from '@posrep/spec'
import { toReportState } from './device-state.ts'

const columns = [
  'device_id',
  'name',
  'tags',
  'state',
  'last_report',
  'relay_state',
  'relay_url',
  'stores_reports',
  'registered',
] as const

export function toDevicesCsv(devices: readonly Device[], nowMs: number): string {
  const rows = devices.map((device) => [
    device.deviceId,
    device.deviceName,
    (device.tags ?? []).join(' '),
    toReportState(device, nowMs),
    String(device.lastReportAt ?? ''),
    device.relayDetails?.state ?? '',
    device.relayDetails?.url ?? '',
    device.shouldStorePositionReportMetrics ? 'yes' : 'no',
    device.deviceCreationTimestamp,
  ])
  return [columns, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
}

function toCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
