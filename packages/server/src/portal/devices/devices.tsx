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
import {
  Filters,
  type FiltersProps,
  filterWords,
  TagFilters,
  type TagFiltersProps,
  toHrefWith,
} from './device-filters.tsx'
import { PairForm, StorageSwitch, TagsForm, toNameId } from './device-forms.tsx'
import { type DeviceOrder, findGroup } from './device-order.ts'
import { type DeviceFilter, findLastReportMs, reportStates, toReportState } from './device-state.ts'
import { Search } from './search.tsx'
import { Sparkline, toPositionRate } from './sparkline.tsx'

export interface DeviceListProps extends FiltersProps, TagFiltersProps {
  viewer: Viewer
  /** One page of the devices. */
  devices: Device[]
  search: string
  order: DeviceOrder
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
        <a href={withQuery(devicesCsvPath, query)} download>
          Export CSV
        </a>
      </div>
      <Search path={devicesPath} name="q" search={search} order={order} filter={filter} tag={tag} />
      <div class="part" id="found" data-found>
        <Filters {...props} />
        <TagFilters {...props} />
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
              rows={devices.flatMap((device, index) => {
                const group = findGroup(device)
                const before = devices[index - 1]
                const isFirst = order === 'group' && (before === undefined || findGroup(before) !== group)
                return [
                  ...(isFirst ? [<GroupRow key={`group ${group ?? ''}`} group={group} />] : []),
                  <DeviceRow key={device.deviceId} viewer={viewer} device={device} list={query} />,
                ]
              })}
            />
          </table>
        </div>
        <Live id="no-devices">{devices.length === 0 && <Nothing search={search} filter={filter} tag={tag} />}</Live>
        <PageLinks {...props} path={devicesPath} query={toPageQuery(query)} />
      </div>
    </>
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

type DeviceRowProps = { viewer: Viewer; device: Device; list: URLSearchParams }

/** A component's root, so that `LiveRows` can name the row. */
function DeviceRow({ viewer, device, list, ...row }: DeviceRowProps) {
  const { deviceId, deviceName, relayDetails, tags = [] } = device
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
        <Badge tone={reportStates[state].tone}>{reportStates[state].word}</Badge>{' '}
        {lastMs === undefined ? (
          <span class="help">none in the last hour</span>
        ) : (
          <Time atMs={lastMs} nowMs={viewer.nowMs} />
        )}
      </td>
      <td data-label="Positions a minute">
        <span class="rate">
          {toPositionRate(metrics, viewer.nowMs) ?? <span title="The first figure comes after a minute">–</span>}{' '}
          <Sparkline metrics={metrics} nowMs={viewer.nowMs} />
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

/** Rename, tags and Remove, behind a disclosure. */
function More({ viewer, device, list }: DeviceRowProps) {
  const { deviceId, deviceName } = device
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
        <TagsForm viewer={viewer} device={device} list={list} />
        <a class="button danger" href={devicePath(deviceId, 'remove')}>
          Remove
        </a>
      </div>
    </details>
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
  if (filter !== undefined) return `${devices} is ${filterWords[filter].toLowerCase()} now.`
  return `${devices} has this text in its name, its ID or its tags.`
}
