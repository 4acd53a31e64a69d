/**
 * The overview, the first page: how many devices are live, silent or failing, what needs attention first, and how the relays do.
 * In: a request. Out: the page, built from the API's own operations.
 */
import type { Device } from '@posrep/spec'
import type { Visitor } from '../../web/cookies.ts'
import { lastMinutes } from '../device/device-charts.tsx'
import { sortDevices } from '../devices/device-order.ts'
import { deviceFilters, hasFilter, toUrgency } from '../devices/device-state.ts'
import { readDevices } from '../devices/read-devices.ts'
import { homePath } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { overviewPage, type RelayFigures } from './overview.tsx'

/** Devices that need attention and are listed. */
const maxListed = 10
/** Relays whose latest deliveries are read: those of failing devices first. */
const maxRelays = 10
const deliveriesPerRelay = 50

export function createOverviewPages({ visits }: { visits: Visits }) {
  async function show(visit: Visit) {
    const { viewer } = visit
    const { nowMs } = viewer
    const { devices, positionsPerMinute } = await readDevices(visit)
    const sorted = sortDevices(devices, 'attention', nowMs)
    const times = lastMinutes(nowMs)
    return overviewPage({
      viewer,
      devices: devices.length,
      counts: Object.fromEntries(
        deviceFilters.map((filter) => [filter, devices.filter((device) => hasFilter(device, filter, nowMs)).length]),
      ),
      attention: sorted.filter((device) => toUrgency(device, nowMs) < 2).slice(0, maxListed),
      times,
      positions: times.map((atMs) => positionsPerMinute.get(atMs) ?? 0),
      relays: await readRelays(visit, sorted),
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

async function readRelays({ call }: Visit, sorted: readonly Device[]): Promise<RelayFigures> {
  const relayed = sorted.filter(({ relayDetails }) => relayDetails !== null)
  const lists = await Promise.all(
    relayed.slice(0, maxRelays).map(({ deviceId }) =>
      call('listDeliveries', {
        path: { deviceId },
        query: { limit: deliveriesPerRelay },
      }),
    ),
  )
  const deliveries = lists.flatMap(({ data }) => data)
  const attempts = deliveries.flatMap(({ attempts }) => attempts)
  const lags = deliveries
    .filter(({ state }) => state === 'delivered')
    .flatMap(({ owedSince, attempts }) => {
      const last = attempts.at(-1)
      return last ? [Date.parse(last.startedAt) + last.durationMilliseconds - Date.parse(owedSince)] : []
    })
    .sort((a, b) => a - b)
  return {
    relays: relayed.length,
    read: lists.length,
    attempts: attempts.length,
    accepted: attempts.filter(({ outcome }) => outcome === 'accepted').length,
    medianLagMs: lags[Math.floor(lags.length / 2)],
    waiting: lists.reduce((sum, { pending }) => sum + pending, 0),
    setAside: lists.reduce((sum, { buried }) => sum + buried, 0),
  }
}
