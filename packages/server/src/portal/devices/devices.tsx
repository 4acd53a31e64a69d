/** The list of the account's devices: search, filters, order; per device its state, rate, relay and storage. */

import { toVisible } from '@posrep/kernel/visible'
import type { Device } from '@posrep/spec'
import { Live } from '../../pages/live.tsx'
import { LiveTable } from '../../pages/live-table.tsx'
import { Notice } from '../../pages/notice.tsx'
import { PageLinks } from '../../pages/page-links.tsx'
import { Time } from '../../pages/time.tsx'
import { Badge, RelayBadge } from '../layout/badge.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { devicePath, devicesCsvPath, devicesPath, sensorsPath, withQuery } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import type { Viewer } from '../layout/viewer.tsx'
import {
  Filters,
  type FiltersProps,
  filterWords,
  TagFilters,
  type TagFiltersProps,
  toHrefWith,
} from './device-filters.tsx'
import { DetailsForm, PairForm, StorageSwitch, toNameId } from './device-forms.tsx'
import { type DeviceOrder, findGroup } from './device-order.ts'
import { type AccountState, type DeviceFilter, findLastReportMs, reportStates, toReportState } from './device-state.ts'
import { Search } from './search.tsx'
import { Sparkline, toPositionRate } from './sparkline.tsx'

export interface DeviceListProps extends FiltersProps, TagFiltersProps {
  viewer: Viewer
  /** One page of the devices. */
  devices: Device[]
  search: string
  order: DeviceOrder
  state: AccountState
  page: number
  pages: number
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
  const { viewer, devices, search, order, filter, tag, query, notice } = props
  return (
    <>
      {notice && <Notice {...notice} />}
      <div class="split">
        <h1>Devices</h1>
        <a id="export" data-found href={withQuery(devicesCsvPath, query)} download>
          Export CSV
        </a>
      </div>
      <Search path={devicesPath} name="q" search={search} order={order} filter={filter} tag={tag} />
      <div class="part" id="found" data-found>
        <Filters {...props} />
        <TagFilters {...props} />
        <LiveTable
          id="devices"
          class="panel"
          columns={[
            <SortableHeader key="device" label="Device" orders={['name', 'name-last']} {...props} />,
            <SortableHeader key="report" label="Last report" orders={['report', 'report-oldest']} {...props} />,
            'Positions a minute',
            <SortableHeader key="relay" label="Relay" orders={['relay', 'relay-last']} {...props} />,
            'Storage',
            { unseen: 'Actions' },
          ]}
          rows={devices.flatMap((device, index) => {
            const group = findGroup(device)
            const before = devices[index - 1]
            const isFirst = order === 'group' && (before === undefined || findGroup(before) !== group)
            return [
              ...(isFirst ? [<GroupRow key={`group ${group ?? ''}`} group={group} />] : []),
              <DeviceRow key={device.deviceId} viewer={viewer} device={device} state={props.state} list={query} />,
            ]
          })}
        />
        <Live id="no-devices">{devices.length === 0 && <Nothing search={search} filter={filter} tag={tag} />}</Live>
        <PageLinks {...props} path={devicesPath} query={toPageQuery(query)} />
      </div>
    </>
  )
}

interface SortableHeaderProps extends Pick<DeviceListProps, 'order' | 'query'> {
  label: string
  /** The first click sorts by the first order, the next one by its reverse. */
  orders: [first: DeviceOrder, reverse: DeviceOrder]
}

/** The newest report is the highest value. */
const ariaSorts: Partial<Record<DeviceOrder, 'ascending' | 'descending'>> = {
  name: 'ascending',
  'name-last': 'descending',
  report: 'descending',
  'report-oldest': 'ascending',
  relay: 'ascending',
  'relay-last': 'descending',
}

function SortableHeader({ label, orders: [first, reverse], order, query }: SortableHeaderProps) {
  const isSorted = order === first || order === reverse
  return (
    <th scope="col" aria-sort={isSorted ? ariaSorts[order] : undefined}>
      <a href={toHrefWith(query, 'sort', order === first ? reverse : first)}>{label}</a>
    </th>
  )
}

/** Without the page, which the links add. */
function toPageQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([name]) => name !== 'page'))
}

function GroupRow({ group, ...row }: { group: string | undefined }) {
  return (
    <tr {...row} class="group">
      <th scope="colgroup" colSpan={6}>
        {group === undefined ? 'No tag' : <bdi>{toVisible(group)}</bdi>}
      </th>
    </tr>
  )
}

type DeviceRowProps = { viewer: Viewer; device: Device; state: AccountState; list: URLSearchParams }

/** A component's root, so that `LiveRows` can name the row. */
function DeviceRow({ viewer, device, state, list, ...row }: DeviceRowProps) {
  const { deviceId, deviceName, relayDetails, tags = [] } = device
  const metrics = device.positionReportMetrics ?? []
  const lastMs = findLastReportMs(device, state)
  const reports = toReportState(device, state)
  return (
    <tr {...row} class={reports === 'live' ? undefined : 'silent'}>
      <th scope="row">
        <a href={devicePath(deviceId)} id={toNameId(deviceId)}>
          <bdi>{toVisible(deviceName)}</bdi>
        </a>
        <Identifier value={deviceId} />
        {tags.length > 0 && (
          <span class="tags">
            {tags.map((tag) => (
              <a key={tag} class="tag" href={toHrefWith(list, 'tag', tag)}>
                <bdi>{toVisible(tag)}</bdi>
              </a>
            ))}
          </span>
        )}
      </th>
      <td data-label="Last report">
        <Badge tone={reportStates[reports].tone}>{reportStates[reports].word}</Badge>{' '}
        {lastMs !== undefined && <Time atMs={lastMs} nowMs={viewer.nowMs} />}
        {lastMs === undefined && reports !== 'never' && <span class="help">none in the last hour</span>}
      </td>
      <td data-label="Positions a minute">
        <span class="rate">
          <span class="rate-figure">
            {toPositionRate(metrics, viewer.nowMs) ?? <span title="The first figure comes after a minute">–</span>}
          </span>{' '}
          <Sparkline metrics={metrics} nowMs={viewer.nowMs} />
        </span>
      </td>
      <td class="wraps" data-label="Relay">
        <RelayBadge state={relayDetails?.state ?? null} retrying={state.retrying.get(deviceId)} nowMs={viewer.nowMs} />
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

/** Name, tags and Remove, in a popover: the row keeps its height, and no script is needed. */
function More({ viewer, device, list }: Omit<DeviceRowProps, 'state'>) {
  const { deviceId, deviceName } = device
  const id = `more-${deviceId}`
  return (
    <>
      <button type="button" popovertarget={id}>
        More<span class="unseen"> for {toVisible(deviceName)}</span>
      </button>
      <div class="dialog part" id={id} popover="auto" role="dialog" aria-labelledby={`${id}-heading`}>
        <div class="split">
          <h2 id={`${id}-heading`}>
            <bdi>{toVisible(deviceName)}</bdi>
          </h2>
          <button type="button" popovertarget={id} popovertargetaction="hide">
            Close
          </button>
        </div>
        <DetailsForm viewer={viewer} device={device} list={list} />
        <div class="buttons">
          <a class="button" href={devicePath(deviceId, 'revoke')}>
            Revoke tokens
          </a>
          <a class="button danger" href={devicePath(deviceId, 'remove')}>
            Remove
          </a>
        </div>
      </div>
    </>
  )
}

interface NothingProps {
  search: string
  filter?: DeviceFilter | undefined
  tag?: string | undefined
}

export function Nothing({ search, filter, tag }: NothingProps) {
  if (filter !== undefined || search !== '' || tag !== undefined)
    return <p class="panel quiet">{toNothing(search, filter, tag)}</p>
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

function toNothing(search: string, filter: DeviceFilter | undefined, tag: string | undefined): string {
  if (search === '' && filter === undefined) return `No device of your account has the tag “${toVisible(tag ?? '')}”.`
  const devices = tag === undefined ? 'No device of your account' : `No device with the tag “${toVisible(tag)}”`
  if (filter !== undefined) return `${devices} is listed as “${filterWords[filter]}” now.`
  return `${devices} has this text in its name, its ID or its tags.`
}
