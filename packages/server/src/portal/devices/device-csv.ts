/**
 * The list of devices as CSV (RFC 4180). A cell that a spreadsheet would take for a formula starts with an apostrophe.
 */
import type { Device } from '@posrep/spec'
import { type AccountState, findLastReportMs, toReportState } from './device-state.ts'

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

export function toDevicesCsv(devices: readonly Device[], state: AccountState): string {
  const rows = devices.map((device) => [
    device.deviceId,
    device.deviceName,
    (device.tags ?? []).join(' '),
    toReportState(device, state),
    toTime(findLastReportMs(device, state)),
    state.retrying.has(device.deviceId) ? 'Retrying' : (device.relayDetails?.state ?? ''),
    device.relayDetails?.url ?? '',
    device.shouldStorePositionReportMetrics ? 'yes' : 'no',
    device.deviceCreationTimestamp,
  ])
  return [columns, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
}

function toTime(atMs: number | undefined): string {
  return atMs === undefined ? '' : new Date(atMs).toISOString()
}

function toCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
