/**
 * The overview, the first page: how many devices are live, silent or failing, what needs attention first, and how the
 * relays do.
 * In: a request. Out: the page, built from the API's own operations.
 */
import type { DeliveryMetric, DeliverySummary, Device } from '@posrep/spec'
import type { Visitor } from '../../web/cookies.ts'
import type { OwnMap } from '../air/air-map.tsx'
import { type AccountState, deviceFilters, findLastReportMs, hasFilter } from '../devices/device-state.ts'
import { readAccountState } from '../devices/read-account-state.ts'
import { readDevices } from '../devices/read-devices.ts'
import { lastMinutes } from '../layout/last-minutes.ts'
import { homePath } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { toConcerns } from './attention.tsx'
import { type DeviceWithBuried, type FirstStepsDone, overviewPage, type RelayFigures } from './overview.tsx'

/** The lag of older deliveries says nothing about now. */
const lagMs = 10 * 60_000

export function createOverviewPages({ visits, ownMap }: { visits: Visits; ownMap: OwnMap }) {
  async function show(visit: Visit) {
    const { viewer } = visit
    const { nowMs } = viewer
    const [{ devices, positionsPerMinute }, state] = await Promise.all([readDevices(visit), readAccountState(visit)])
    const times = lastMinutes(nowMs)
    return overviewPage({
      viewer,
      devices: devices.length,
      counts: Object.fromEntries(
        deviceFilters.map((filter) => [filter, devices.filter((device) => hasFilter(device, filter, state)).length]),
      ),
      attention: toConcerns(devices, state),
      times,
      positions: times.map((atMs) => positionsPerMinute.get(atMs) ?? 0),
      relays: toRelayFigures(state.deliveries, nowMs),
      setAside: toSetAside(state.deliveries, devices),
      firstSteps: await readFirstSteps(visit, devices, state),
      ownMap: state.sensors ? ownMap : undefined,
    })
  }

  return {
    show: (visitor: Visitor, _query: URLSearchParams) => visits.show(visitor, homePath, show),
    live: {
      show,
      // Positions per minute change once a minute, and states with the time: the keep-alive is often enough.
      watch: async () => '',
    } satisfies LivePage,
  }
}

export type OverviewPages = ReturnType<typeof createOverviewPages>

/** Devices whose history is read for the first steps. */
const firstDevices = 5

/** Undefined when a device has reported. */
async function readFirstSteps(
  { call }: Visit,
  devices: readonly Device[],
  state: AccountState & { deliveries: Pick<DeliverySummary, 'relays'> },
): Promise<FirstStepsDone | undefined> {
  if (devices.some((device) => findLastReportMs(device, state) !== undefined)) return undefined
  const histories = await Promise.all(
    devices.slice(0, firstDevices).map(({ deviceId }) => call('getDeviceHistory', { path: { deviceUrn: deviceId } })),
  )
  return {
    isRegistered: devices.length > 0,
    hasTokens: histories.some(({ lastToken, pairings }) => lastToken !== null || pairings.length > 0),
    hasRelay: state.deliveries.relays > 0,
  }
}

function toSetAside(
  { buriedByDevice }: Pick<DeliverySummary, 'buriedByDevice'>,
  devices: readonly Device[],
): DeviceWithBuried[] {
  const names = new Map(devices.map(({ deviceId, deviceName }) => [deviceId, deviceName]))
  return buriedByDevice.map((one) => ({ ...one, deviceName: names.get(one.deviceId) ?? one.deviceId }))
}

function toRelayFigures(
  { deliveryMetrics, ...counts }: Omit<DeliverySummary, 'retrying' | 'buriedByDevice'>,
  nowMs: number,
): RelayFigures {
  const latest = deliveryMetrics.filter(({ windowStart }) => nowMs - Date.parse(windowStart) <= lagMs)
  const sum = (minutes: DeliveryMetric[], countOf: (minute: DeliveryMetric) => number) =>
    minutes.reduce((total, minute) => total + countOf(minute), 0)
  const deliveredLately = sum(latest, ({ delivered }) => delivered)
  const owedMs = sum(latest, ({ delivered, averageLagMilliseconds }) => delivered * (averageLagMilliseconds ?? 0))
  return {
    ...counts,
    delivered: sum(deliveryMetrics, ({ delivered }) => delivered),
    failed: sum(deliveryMetrics, ({ failedAttempts }) => failedAttempts),
    averageLagMs: deliveredLately === 0 ? undefined : owedMs / deliveredLately,
  }
}
