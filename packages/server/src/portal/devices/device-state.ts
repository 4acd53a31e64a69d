/** What a device does now, as the list and the overview show it. In: a device. Out: its state, and what needs attention. */
import type { Device } from '@posrep/spec'
import type { Tone } from '../layout/badge.tsx'

/** `live`: a report in the last minute. `silent`: none. `unknown`: its reports are not stored. */
export type ReportState = 'live' | 'silent' | 'unknown'

export const deviceFilters = ['live', 'silent', 'failing'] as const
export type DeviceFilter = (typeof deviceFilters)[number]

const liveMs = 60_000

export const reportStates: Record<ReportState, { tone: Tone; word: string }> = {
  live: { tone: 'good', word: 'Live' },
  silent: { tone: 'quiet', word: 'Silent' },
  unknown: { tone: 'quiet', word: 'Not stored' },
}

export function toReportState(device: Device, nowMs: number): ReportState {
  const lastMs = findLastReportMs(device)
  if (lastMs !== undefined && nowMs - lastMs < liveMs) return 'live'
  return device.shouldStorePositionReportMetrics ? 'silent' : 'unknown'
}

/** When the last report was received; undefined without reports in the metric window. */
export function findLastReportMs({ lastReportAt }: Device): number | undefined {
  return typeof lastReportAt === 'string' ? Date.parse(lastReportAt) : undefined
}

export function isFailing({ relayDetails }: Device): boolean {
  return relayDetails?.state === 'Failed'
}

export function hasFilter(device: Device, filter: DeviceFilter, nowMs: number): boolean {
  return filter === 'failing' ? isFailing(device) : toReportState(device, nowMs) === filter
}

/** 0 needs attention first: a failed relay, then a device that has become silent. */
export function toUrgency(device: Device, nowMs: number): number {
  if (isFailing(device)) return 0
  const state = toReportState(device, nowMs)
  if (state === 'silent') return findLastReportMs(device) === undefined ? 3 : 1
  return state === 'live' ? 2 : 3
}
