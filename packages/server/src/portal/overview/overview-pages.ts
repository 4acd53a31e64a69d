/**
 * The overview, the first page: how many devices are live, silent or failing, what needs attention first, and how the relays do.
 * In: a request. Out: the page, built from the API's own operations.
 */
import type { DeliveryMetric } from '@posrep/spec'
import type { Visitor } from '../../web/cookies.ts'
import type { OwnMap } from '../air/air-map.tsx'
import { hasAirPicture } from '../air/air-pages.ts'
import { deviceFilters, hasFilter } from '../devices/device-state.ts'
import { readDevices } from '../devices/read-devices.ts'
import { lastMinutes } from '../layout/last-minutes.ts'
import { homePath } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { toConcerns } from './attention.tsx'
import { overviewPage, type RelayFigures } from './overview.tsx'

/** The lag of older deliveries says nothing about now. */
const lagMs = 10 * 60_000

export function createOverviewPages({ visits, ownMap }: { visits: Visits; ownMap: OwnMap }) {
  async function show(visit: Visit) {
    const { viewer } = visit
    const { nowMs } = viewer
    const { devices, positionsPerMinute } = await readDevices(visit)
    const { relays, retrying } = await readRelays(visit)
    const times = lastMinutes(nowMs)
    return overviewPage({
      viewer,
      devices: devices.length,
      counts: Object.fromEntries(
        deviceFilters.map((filter) => [filter, devices.filter((device) => hasFilter(device, filter, nowMs)).length]),
      ),
      attention: toConcerns(devices, retrying, nowMs),
      times,
      positions: times.map((atMs) => positionsPerMinute.get(atMs) ?? 0),
      relays,
      ownMap: (await hasAirPicture(visit)) ? ownMap : undefined,
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

async function readRelays({ call, viewer: { nowMs } }: Visit) {
  const { deliveryMetrics, retrying, ...counts } = await call('getDeliverySummary', {})
  const latest = deliveryMetrics.filter(({ windowStart }) => nowMs - Date.parse(windowStart) <= lagMs)
  const sum = (minutes: DeliveryMetric[], countOf: (minute: DeliveryMetric) => number) =>
    minutes.reduce((total, minute) => total + countOf(minute), 0)
  const deliveredLately = sum(latest, ({ delivered }) => delivered)
  const owedMs = sum(latest, ({ delivered, averageLagMilliseconds }) => delivered * (averageLagMilliseconds ?? 0))
  const relays: RelayFigures = {
    ...counts,
    delivered: sum(deliveryMetrics, ({ delivered }) => delivered),
    failed: sum(deliveryMetrics, ({ failedAttempts }) => failedAttempts),
    averageLagMs: deliveredLately === 0 ? undefined : owedMs / deliveredLately,
  }
  return { relays, retrying }
}
