/**
 * The list of devices, its CSV, and the list to choose a device to pair from.
 * In: a request with search, filter, order and page. Out: the page, built from the API's own operations.
 */
import type { Device } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { pageHeaders } from '../../pages/page-headers.ts'
import { paginate } from '../../pages/page-links.tsx'
import type { Visitor } from '../../web/cookies.ts'
import { devicesPath, pairingStartPath, withQuery } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { toDevicesCsv } from './device-csv.ts'
import { sortDevices, toDeviceOrder } from './device-order.ts'
import { deviceFilters, hasFilter } from './device-state.ts'
import { type DeviceListProps, devicesPage } from './devices.tsx'
import { pairingStartPage } from './pairing-start.tsx'
import { readAccountState } from './read-account-state.ts'
import { readDevices } from './read-devices.ts'

/** The parameters of the list that its address keeps. */
const listParameters = ['q', 'state', 'tag', 'sort', 'page'] as const

export function createDeviceListPages({ visits }: { visits: Visits }) {
  async function find(visit: Visit, query: URLSearchParams, search: string) {
    const wanted = search.trim().toLowerCase()
    const [{ devices }, state] = await Promise.all([readDevices(visit), readAccountState(visit)])
    const named = devices.filter(({ deviceId, deviceName, tags = [] }) =>
      [deviceId, deviceName, ...tags].some((text) => text.toLowerCase().includes(wanted)),
    )
    const tag = query.get('tag') || undefined
    const found = tag === undefined ? named : named.filter(({ tags }) => tags?.includes(tag))
    const filter = deviceFilters.find((one) => one === query.get('state'))
    const counts = Object.fromEntries(
      deviceFilters.map((one) => [one, found.filter((device) => hasFilter(device, one, state)).length]),
    )
    const matching = filter ? found.filter((device) => hasFilter(device, filter, state)) : found
    const order = toDeviceOrder(query.get('sort'))
    const sorted = sortDevices(matching, order, state)
    return { sorted, found: found.length, filter, counts, order, tag, tags: countTags(named), state }
  }

  async function list(visit: Visit, query: URLSearchParams, search: string): Promise<DeviceListProps> {
    const { sorted, ...findings } = await find(visit, query, search)
    const { items, page, pages } = paginate(sorted, query.get('page'))
    const devices = await Promise.all(
      items.map(({ deviceId }) => visit.call('getDevice', { path: { deviceUrn: deviceId } })),
    )
    const { viewer } = visit
    const kept = keepListQuery(query)
    return { viewer, devices, ...findings, search: search.trim(), page, pages, query: kept }
  }

  const showList = async (visit: Visit, query: URLSearchParams) => {
    const flash = await visit.takeFlash(devicesPath, query)
    return devicesPage({ ...(await list(visit, query, query.get('q') ?? '')), notice: flash?.notice })
  }

  return {
    show: (visitor: Visitor, query: URLSearchParams) =>
      visits.show(visitor, withQuery(devicesPath, keepListQuery(query)), (visit) => showList(visit, query)),

    exportCsv: (visitor: Visitor, query: URLSearchParams) =>
      visits.show(visitor, devicesPath, async (visit): Promise<PageAnswer> => {
        const { sorted, state } = await find(visit, query, query.get('q') ?? '')
        return {
          status: 200,
          headers: {
            ...pageHeaders(),
            'Content-Type': 'text/csv; charset=utf-8; header=present',
            'Content-Disposition': 'attachment; filename="devices.csv"',
          },
          body: toDevicesCsv(sorted, state),
        }
      }),

    showPairingStart: (visitor: Visitor, query: URLSearchParams) => {
      const search = query.get('clientUniqueId') ?? ''
      // A user who scanned the QR code of a device returns to that device after signing in.
      const destination =
        search === '' ? '' : `?clientUniqueId=${encodeURIComponent(search.slice(0, 300).toWellFormed())}`
      return visits.show(visitor, `${pairingStartPath}${destination}`, async (visit) =>
        pairingStartPage(await list(visit, new URLSearchParams([['sort', 'name'], ...query]), search)),
      )
    },

    toLive: (query: URLSearchParams): LivePage => ({
      show: (visit) => showList(visit, keepListQuery(query)),
      async watch(visit) {
        const [{ version }, { sensors, retrying }] = await Promise.all([readDevices(visit), readAccountState(visit)])
        // Other figures of the sensors change with each report, as the version does.
        return [version, [...(sensors ?? [])].map(([deviceId, { state }]) => [deviceId, state]), [...retrying.values()]]
      },
    }),
  }
}

export type DeviceListPages = ReturnType<typeof createDeviceListPages>

/** The tags with most devices first. */
function countTags(devices: readonly Device[]): [tag: string, devices: number][] {
  const counts = new Map<string, number>()
  for (const tag of devices.flatMap(({ tags = [] }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
}

/** What the address of the list keeps after a form of one of its rows, and in links. */
export function keepListQuery(query: URLSearchParams): URLSearchParams {
  const kept = listParameters.map((name): [string, string] => [
    name,
    (query.get(name) ?? '').slice(0, 300).toWellFormed(),
  ])
  return new URLSearchParams(kept.filter(([, value]) => value !== ''))
}
