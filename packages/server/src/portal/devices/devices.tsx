/** The list of the account's devices, and the list to choose a device to pair from. */
import type { Device } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { PageLinks } from '../../pages/page-links.tsx'
import { Time } from '../../pages/time.tsx'
import { toVisible } from '../../visible.ts'
import { RelayBadge } from '../layout/badge.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { devicePath, devicesPath, pairingPath, pairingStartPath, sensorsPath } from '../layout/paths.ts'
import { FormToken, portalPage, type Viewer } from '../layout/portal-layout.tsx'
import type { DeviceOrder } from './device-order.ts'
import { Search } from './search.tsx'
import { findLastReportMs, Sparkline, toRate } from './sparkline.tsx'

export interface DeviceListProps {
  viewer: Viewer
  devices: Device[]
  /** The number of devices that match the search; `devices` is one page of them. */
  matching: number
  search: string
  order: DeviceOrder
  page: number
  pages: number
}

export function devicesPage(props: DeviceListProps): PageAnswer {
  return portalPage({
    viewer: props.viewer,
    title: 'Devices',
    tab: 'devices',
    livePath: `${devicesPath}/live`,
    children: <DeviceList {...props} />,
  })
}

/** The start page of pairing: the same list, with `Pair` as the only action. */
export function pairingStartPage(props: DeviceListProps): PageAnswer {
  const { viewer, devices, matching, search } = props
  return portalPage({
    viewer,
    title: 'Pair a device',
    tab: 'pairing',
    children: (
      <>
        <div class="heading">
          <h1>Pair a device</h1>
          <p class="quiet">
            Choose the sensor that you want to pair. It then has 60 seconds to call: press its pairing button, or start
            its agent.
          </p>
        </div>
        <Search path={pairingStartPath} name="clientUniqueId" search={search} matching={matching} />
        {devices.length === 0 ? (
          <NothingToPair search={search} />
        ) : (
          <ul class="rows panel">
            {devices.map((device) => (
              <li key={device.deviceId} class="row split">
                <div>
                  <h2 id={toNameId(device.deviceId)}>
                    <bdi>{toVisible(device.deviceName)}</bdi>
                  </h2>
                  <Identifier value={device.deviceId} />
                </div>
                <PairForm viewer={viewer} device={device} />
              </li>
            ))}
          </ul>
        )}
        <PageLinks {...props} path={pairingStartPath} query={{ clientUniqueId: search }} />
      </>
    ),
  })
}

function DeviceList(props: DeviceListProps) {
  const { viewer, devices, matching, search, order } = props
  return (
    <>
      <h1>Devices</h1>
      <Search path={devicesPath} name="q" search={search} order={order} matching={matching} />
      {devices.length === 0 ? (
        <Nothing search={search} />
      ) : (
        <div class="panel scroll stacks" data-live id="devices">
          <table>
            <thead>
              <tr>
                <th scope="col">Device</th>
                <th scope="col">Last report</th>
                <th scope="col">Reports a minute</th>
                <th scope="col">Relay</th>
                <th scope="col">Storage</th>
                <th scope="col">
                  <span class="unseen">Pair</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {devices.map((device) => (
                <DeviceRow key={device.deviceId} viewer={viewer} device={device} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <PageLinks {...props} path={devicesPath} query={{ q: search, sort: order === 'id' ? '' : order }} />
    </>
  )
}

function DeviceRow({ viewer, device }: { viewer: Viewer; device: Device }) {
  const { deviceId, deviceName, relayDetails, shouldStorePositionReportMetrics: stores } = device
  const metrics = device.positionReportMetrics ?? []
  const lastMs = findLastReportMs(metrics)
  return (
    <tr>
      <th scope="row">
        <a href={devicePath(deviceId)} id={toNameId(deviceId)}>
          <bdi>{toVisible(deviceName)}</bdi>
        </a>
        <Identifier value={deviceId} />
      </th>
      <td data-label="Last report">
        {lastMs === undefined ? 'None in the last hour' : <Time atMs={lastMs} nowMs={viewer.nowMs} />}
      </td>
      <td data-label="Reports a minute">
        <span class="rate">
          {toRate(metrics, viewer.nowMs)} <Sparkline metrics={metrics} nowMs={viewer.nowMs} />
        </span>
      </td>
      <td data-label="Relay">
        <RelayBadge state={relayDetails?.state ?? null} />
      </td>
      <td data-label="Storage">
        <StorageSwitch viewer={viewer} deviceId={deviceId} deviceName={deviceName} stores={stores} />
      </td>
      <td>
        <PairForm viewer={viewer} device={device} />
      </td>
    </tr>
  )
}

export interface StorageSwitchProps {
  viewer: Viewer
  deviceId: string
  deviceName: string
  stores: boolean
}

/** The form contains the value that was shown, so that a second click does not switch back. */
export function StorageSwitch({ viewer, deviceId, deviceName, stores }: StorageSwitchProps) {
  return (
    <form method="post" action={devicePath(deviceId, 'storage')}>
      <FormToken viewer={viewer} purpose={`storage:${deviceId}`} />
      <input type="hidden" name="from" value={stores ? 'on' : 'off'} />
      <button type="submit" class="switch" role="switch" aria-checked={stores}>
        <span class="unseen">Store the reports of {toVisible(deviceName)}: </span>
        {stores ? 'On' : 'Off'}
      </button>
    </form>
  )
}

/** The button is named `Pair` on every page; its accessible description names the device. */
export function PairForm({ viewer, device }: { viewer: Viewer; device: Pick<Device, 'deviceId' | 'deviceName'> }) {
  return (
    <form method="post" action={pairingPath}>
      <FormToken viewer={viewer} purpose={`pair:${device.deviceId}`} />
      <input type="hidden" name="device_id" value={device.deviceId} />
      <button type="submit" aria-describedby={toNameId(device.deviceId)}>
        Pair
      </button>
    </form>
  )
}

export function toNameId(deviceId: string): string {
  return `name-${deviceId}`
}

/** The search may be a local ID from a QR code: then the page offers to register that sensor. */
function NothingToPair({ search }: { search: string }) {
  if (!/^[A-Za-z0-9._:-]{1,255}$/.test(search) || search.startsWith('urn:')) return <Nothing search={search} />
  return (
    <div class="panel part">
      <p>
        No device of your account has <code>{search}</code> in its name or ID. If this is the local ID of your sensor,
        register the sensor first. Upper and lower case matter.
      </p>
      <p>
        <a class="button" href={`${sensorsPath}?clientUniqueId=${encodeURIComponent(search)}`}>
          Register this sensor
        </a>
      </p>
    </div>
  )
}

function Nothing({ search }: { search: string }) {
  if (search !== '') return <p class="panel quiet">No device of your account has this text in its name or ID.</p>
  return (
    <div class="panel">
      <p>No devices yet. Register a sensor first. Then pair it, or let its client request tokens.</p>
      <p>
        <a class="button" href={sensorsPath}>
          Register a sensor
        </a>
      </p>
    </div>
  )
}
