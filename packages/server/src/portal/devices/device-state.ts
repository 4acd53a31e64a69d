/**
 * What a device and its relay do now, as the lists, the overview and the page of the device show it.
 * In: a device, and what is known of the account. Out: the state of its reports, of its relay, and what needs
 * attention.
 */
import type { AirSensor, Device, RetryingRelay } from '@posrep/spec'
import type { Tone } from '../layout/badge.tsx'

/** What is known of the account's devices besides their records. */
export interface AccountState {
  nowMs: number
  /** The sensors in the air picture, by URN: all that have ever reported. Undefined without an air picture. */
  sensors: ReadonlyMap<string, AirSensor> | undefined
  /** The relays that do not accept their messages now, by the URN of the device. */
  retrying: ReadonlyMap<string, RetryingRelay>
}

/**
 * `live` and `silent`: as the air picture says, where a sensor is silent after several of its usual intervals, and
 * after a minute while these are not known. `never`: it has not reported yet. `unknown`: without an air picture, and
 * its reports are not stored.
 */
export type ReportState = 'live' | 'silent' | 'never' | 'unknown'

export const deviceFilters = ['live', 'silent', 'never', 'retrying', 'failing'] as const
export type DeviceFilter = (typeof deviceFilters)[number]

const silentAfterMs = 60_000

export const reportStates: Record<ReportState, { tone: Tone; word: string }> = {
  live: { tone: 'good', word: 'Live' },
  silent: { tone: 'quiet', word: 'Silent' },
  never: { tone: 'quiet', word: 'Never reported' },
  unknown: { tone: 'quiet', word: 'Not stored' },
}

export function toReportState(device: Device, state: AccountState): ReportState {
  const { sensors, nowMs } = state
  const sensor = sensors?.get(device.deviceId)
  const lastMs = findLastReportMs(device, state)
  // A report may be stored before the picture has it.
  if (sensor && lastMs === Date.parse(sensor.lastSeen)) return sensor.state
  if (lastMs !== undefined) return nowMs - lastMs <= silentAfterMs ? 'live' : 'silent'
  if (sensors) return 'never'
  return device.shouldStorePositionReportMetrics ? 'silent' : 'unknown'
}

/**
 * When the last report was received; undefined if it has not reported, or not within the hour for which reports are
 * stored.
 */
export function findLastReportMs(
  { deviceId, lastReportAt }: Device,
  { sensors }: Partial<Pick<AccountState, 'sensors'>> = {},
): number | undefined {
  const times = [lastReportAt, sensors?.get(deviceId)?.lastSeen].flatMap((time) =>
    typeof time === 'string' ? [Date.parse(time)] : [],
  )
  return times.length === 0 ? undefined : Math.max(...times)
}

export function isFailing({ relayDetails }: Device): boolean {
  return relayDetails?.state === 'Failed'
}

export function hasFilter(device: Device, filter: DeviceFilter, state: AccountState): boolean {
  switch (filter) {
    case 'failing':
      return isFailing(device)
    case 'retrying':
      return state.retrying.has(device.deviceId)
    default:
      return toReportState(device, state) === filter
  }
}

const urgencies: Record<ReportState, number> = { silent: 2, live: 3, never: 4, unknown: 4 }

/** 0 needs attention first: a failed relay, then one that is being retried, then a device that has become silent. */
export function toUrgency(device: Device, state: AccountState): number {
  if (isFailing(device)) return 0
  if (state.retrying.has(device.deviceId)) return 1
  const reports = toReportState(device, state)
  return reports === 'silent' && findLastReportMs(device, state) === undefined ? urgencies.never : urgencies[reports]
}

/** Devices of a lower urgency are listed under what needs attention. */
export const noUrgency = urgencies.live
