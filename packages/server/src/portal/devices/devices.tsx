/** The list of the account's devices: search, filters, order; per device its state, rate, relay and storage. */
import type { Device } from '@posrep/spec'
import { Live, LiveRows, NewRows } from '../../pages/live.tsx'
import { Notice } from '../../pages/notice.tsx'
import { PageLinks } from '../../pages/page-links.tsx'
import { Time } from '../../pages/time.tsx'
import { toVisible } from '../../visible.ts'
import { Badge, RelayBadge } from '../layout/badge.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { devicePath, devicesCsvPath, devicesPath, sensorsPath, withQuery } from '../layout/paths.ts'
import { FormToken, type PortalPage, portalPage, type Viewer } from '../layout/portal-layout.tsx'
import { PairForm, StorageSwitch, toNameId } from './device-forms.tsx'
import type { DeviceOrder } from './device-order.ts'
import { type DeviceFilter, deviceFilters, findLastReportMs, reportStates, toReportState } from './device-state.ts'
import { Search } from './search.tsx'
import { Sparkline, toPositionRate } from './sparkline.tsx'

export interface DeviceListProps {
  viewer: Viewer
  /** One page of the devices. */
  devices: Device[]
  /** The number of devices with the searched text, and how many of them have each filter. */
  found: number
  counts: Partial<Record<DeviceFilter, number>>
  filter: DeviceFilter | undefined
  search: string
  order: DeviceOrder
  page: number
  pages: number
  /** Search, filter, order and page, for links and forms that lead back here. */
  query: URLSearchParams
  notice?: { text: string; isFailure?: boolean } | undefined
}

export function devicesPage(props: DeviceListProps): PortalPage {
  return portalPage({
    viewer: props.viewer,
    title: 'Devices',
    tab: 'devices',
    livePath: withQuery(`${devicesPath}/live`, props.query),
    children: <DeviceList {...props} />,
  })
}

function DeviceList(props: DeviceListProps) {
  const { viewer, devices, search, order, filter, query, notice } = props
  return (
    <>
      {notice && <Notice {...notice} />}
      <div class="split">
        <h1>Devices</h1>
        <a href={withQuery(devicesCsvPath, query)} download>
          Export CSV
        </a>
      </div>
      <Search path={devicesPath} name="q" search={search} order={order} filter={filter} />
      <div class="part" id="found" data-found>
        <Filters {...props} />
        <div class="panel scroll stacks list">
          <NewRows id="devices" />
          <table>
            <thead>
              <tr>
                <th scope="col">Device</th>
                <th scope="col">Last report</th>
                <th scope="col">Positions a minute</th>
                <th scope="col">Relay</th>
                <th scope="col">Storage</th>
                <th scope="col">
                  <span class="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <LiveRows
              id="devices"
              rows={devices.map((device) => (
                <DeviceRow key={device.deviceId} viewer={viewer} device={device} list={query} />
              ))}
            />
          </table>
        </div>
        <Live id="no-devices">{devices.length === 0 && <Nothing search={search} filter={filter} />}</Live>
        <PageLinks {...props} path={devicesPath} query={toPageQuery(query)} />
      </div>
    </>
  )
}

/** Without the page, which the links add. */
function toPageQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([name]) => name !== 'page'))
}

const filterWords: Record<DeviceFilter, string> = { live: 'Live', silent: 'Silent', failing: 'Failing' }

function Filters({ filter, counts, found, query }: DeviceListProps) {
  const toHref = (state: DeviceFilter | undefined) => {
    const next = new URLSearchParams(query)
    next.delete('page')
    if (state === undefined) next.delete('state')
    else next.set('state', state)
    return withQuery(devicesPath, next)
  }
  return (
    <nav aria-label="Filter by state">
      <Live id="filters">
        <ul class="tabs">
          <li>
            <a href={toHref(undefined)} aria-current={filter === undefined ? 'page' : undefined}>
              All <span class="count">{found}</span>
            </a>
          </li>
          {deviceFilters.map((one) => (
            <li key={one}>
              <a href={toHref(one)} aria-current={filter === one ? 'page' : undefined}>
                {filterWords[one]} <span class="count">{counts[one] ?? 0}</span>
              </a>
            </li>
          ))}
        </ul>
      </Live>
    </nav>
  )
}

type DeviceRowProps = { viewer: Viewer; device: Device; list: URLSearchParams }

/** A component's root, so that `LiveRows` can name the row. */
function DeviceRow({ viewer, device, list, ...row }: DeviceRowProps) {
  const { deviceId, deviceName, relayDetails } = device
  const metrics = device.positionReportMetrics ?? []
  const lastMs = findLastReportMs(device)
  const state = toReportState(device, viewer.nowMs)
  return (
    <tr {...row} class={state === 'live' ? undefined : 'silent'}>
      <th scope="row">
        <a href={devicePath(deviceId)} id={toNameId(deviceId)}>
          <bdi>{toVisible(deviceName)}</bdi>
        </a>
        <Identifier value={deviceId} />
      </th>
      <td data-label="Last report">
        <Badge tone={reportStates[state].tone}>{reportStates[state].word}</Badge>{' '}
        {lastMs === undefined ? (
          <span class="help">none in the last hour</span>
        ) : (
          <Time atMs={lastMs} nowMs={viewer.nowMs} />
        )}
      </td>
      <td data-label="Positions a minute">
        <span class="rate">
          {toPositionRate(metrics, viewer.nowMs)} <Sparkline metrics={metrics} nowMs={viewer.nowMs} />
        </span>
      </td>
      <td data-label="Relay">
        <RelayBadge state={relayDetails?.state ?? null} />
      </td>
      <td data-label="Storage">
        <StorageSwitch viewer={viewer} device={device} list={list} />
      </td>
      <td>
        <div class="buttons list-actions">
          <PairForm viewer={viewer} device={device} />
          <More viewer={viewer} device={device} list={list} />
        </div>
      </td>
    </tr>
  )
}

/** Rename and Remove, behind a disclosure. */
function More({ viewer, device: { deviceId, deviceName }, list }: DeviceRowProps) {
  const fieldId = `rename-${deviceId}`
  return (
    <details class="more">
      <summary>
        More<span class="unseen"> for {toVisible(deviceName)}</span>
      </summary>
      <div class="part">
        <form class="form" method="post" action={devicePath(deviceId, 'name')}>
          <FormToken viewer={viewer} purpose={`name:${deviceId}`} />
          <input type="hidden" name="list" value={list.toString()} />
          <div class="field">
            <label for={fieldId}>Name</label>
            <input id={fieldId} name="name" required maxLength={100} value={deviceName} autocomplete="off" />
          </div>
          <button type="submit">Rename</button>
        </form>
        <a class="button danger" href={devicePath(deviceId, 'remove')}>
          Remove
        </a>
      </div>
    </details>
  )
}

export function Nothing({ search, filter }: { search: string; filter?: DeviceFilter | undefined }) {
  if (filter !== undefined) return <p class="panel quiet">No device is {filterWords[filter].toLowerCase()} now.</p>
  if (search !== '') return <p class="panel quiet">No device of your account has this text in its name or ID.</p>
  return (
    <div class="panel part">
      <p>No devices yet. Register a sensor first. Then pair it, or let its client request tokens.</p>
      <p>
        <a class="button" href={sensorsPath}>
          Register a sensor
        </a>
      </p>
    </div>
  )
}
