/** The devices of the account: what each does, and what can be done with it at once. */
import type { Device } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { Moment } from '../../pages/moment.tsx'
import { PageLinks } from '../../pages/page-links.tsx'
import type { DeviceOrder } from '../device-order.ts'
import { RelayBadge } from './badge.tsx'
import { FormToken, framed, type Viewer } from './frame.tsx'
import { Identifier } from './identifier.tsx'
import { devicePath, devicesPath, pairingPath, pairingStartPath, sensorsPath } from './paths.ts'
import { Search } from './search.tsx'
import { findLastReportMs, Sparkline, toRate } from './sparkline.tsx'

export interface DeviceListProps {
  viewer: Viewer
  devices: Device[]
  /** How many match; `devices` is one page of them. */
  matching: number
  search: string
  order: DeviceOrder
  page: number
  pages: number
}

export function devicesPage(props: DeviceListProps): PageAnswer {
  return framed({
    viewer: props.viewer,
    title: 'Devices',
    at: 'devices',
    livePath: `${devicesPath}/live`,
    children: <DeviceList {...props} />,
  })
}

/** For the pairing portal's start page: the same list, with nothing but `Pair`. */
export function pairingStartPage(props: DeviceListProps): PageAnswer {
  const { viewer, devices, matching, search } = props
  return framed({
    viewer,
    title: 'Pair a device',
    at: 'pairing',
    children: (
      <>
        <div class="heading">
          <h1>Pair a device</h1>
          <p class="quiet">
            Choose the sensor that stands before you. From then on it has 60 seconds to call; press its pairing button
            then, or start its agent.
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
                    <bdi>{device.deviceName}</bdi>
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
          <bdi>{deviceName}</bdi>
        </a>
        <Identifier value={deviceId} />
      </th>
      <td data-label="Last report">
        {lastMs === undefined ? 'none in the last hour' : <Moment atMs={lastMs} nowMs={viewer.nowMs} />}
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

/** Sends what it was when it was shown, so that a second click of two does nothing. */
export function StorageSwitch({ viewer, deviceId, deviceName, stores }: StorageSwitchProps) {
  return (
    <form method="post" action={devicePath(deviceId, 'storage')}>
      <FormToken viewer={viewer} purpose={`storage:${deviceId}`} />
      <input type="hidden" name="from" value={stores ? 'on' : 'off'} />
      <button type="submit" class="switch" role="switch" aria-checked={stores}>
        <span class="unseen">Store the reports of {deviceName}: </span>
        {stores ? 'On' : 'Off'}
      </button>
    </form>
  )
}

/** The button is called `Pair` everywhere; which device it pairs is in its description. */
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

/** Who scanned the code on a sensor has its local ID at hand already. */
function NothingToPair({ search }: { search: string }) {
  if (!/^[A-Za-z0-9._:-]{1,255}$/.test(search) || search.startsWith('urn:')) return <Nothing search={search} />
  return (
    <div class="panel part">
      <p>
        No device of your account has <code>{search}</code> in its name or ID. If that is the local ID of your sensor,
        the sensor has to be registered first; upper and lower case count.
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
  if (search !== '') return <p class="panel quiet">No device of your account has this in its name or ID.</p>
  return (
    <div class="panel">
      <p>No devices yet. A sensor is registered first; then it is paired, or its client asks for tokens itself.</p>
      <p>
        <a class="button" href={sensorsPath}>
          Register a sensor
        </a>
      </p>
    </div>
  )
}
