/** The page of one device: its recent reports, its relay and deliveries, its settings; and the page that revokes its tokens. */
import type { Delivery, DeliveryList, Device } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { ErrorSummary } from '../../pages/error-summary.tsx'
import { Field } from '../../pages/field.tsx'
import { Notice } from '../../pages/notice.tsx'
import { Time } from '../../pages/time.tsx'
import { toVisible } from '../../visible.ts'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { devicePath } from '../layout/paths.ts'
import { FormToken, portalPage, type Viewer } from '../layout/portal-layout.tsx'
import { PairForm, StorageSwitch, toNameId } from './devices.tsx'
import { Recent } from './recent.tsx'
import type { RecentPositions } from './recent-positions.ts'
import { RelayCard, type RelayCardProps, relayFieldId } from './relay-card.tsx'
import { findLastReportMs, Sparkline } from './sparkline.tsx'

export interface DeviceProps {
  viewer: Viewer
  device: Device
  recent: RecentPositions
  deliveries: DeliveryList
  open: Delivery | undefined
  /** The target that the user chose in the recent reports. */
  target?: string | undefined
  notice?: { text: string; isFailure: boolean } | undefined
  refusedRelay?: RelayCardProps['refused']
  refusedName?: { name: string; reason: string } | undefined
}

const nameFieldId = 'device-name'

export function devicePage(props: DeviceProps, status: PageAnswer['status']): PageAnswer {
  const { viewer, device } = props
  const title = device.deviceName
  return portalPage(
    { viewer, title, tab: 'devices', livePath: devicePath(device.deviceId, 'live'), children: <DeviceOf {...props} /> },
    status,
  )
}

function DeviceOf({
  viewer,
  device,
  recent,
  deliveries,
  open,
  target,
  notice,
  refusedRelay,
  refusedName,
}: DeviceProps) {
  const { deviceId, shouldStorePositionReportMetrics: stores } = device
  const errors = [
    ...(refusedRelay ? [{ text: refusedRelay.reason, fieldId: relayFieldId }] : []),
    ...(refusedName ? [{ text: refusedName.reason, fieldId: nameFieldId }] : []),
  ]
  return (
    <>
      {errors.length > 0 && <ErrorSummary title="Nothing was changed" errors={errors} />}
      {errors.length === 0 && notice && <Notice {...notice} />}
      <Heading viewer={viewer} device={device} />
      <div class="columns">
        <RelayCard
          viewer={viewer}
          device={device}
          deliveries={deliveries}
          lastDeliveredAt={findLastDelivered(deliveries.data)}
          refused={refusedRelay}
        />
        <section class="panel part unprinted" aria-labelledby="settings-heading">
          <h2 id="settings-heading">Device</h2>
          <div class="split">
            <p>
              Store reports
              <br />
              <span class="help">
                Reports of the last hour are kept and shown here. Forwarding to the relay does not depend on it.
              </span>
            </p>
            <StorageSwitch viewer={viewer} deviceId={deviceId} deviceName={device.deviceName} stores={stores} />
          </div>
          <NameForm viewer={viewer} device={device} refused={refusedName} />
          <div class="split">
            <p>
              Tokens
              <br />
              <span class="help">
                If the device is lost or not yours, revoke its tokens. They end within a second; then pair it again.
              </span>
            </p>
            <a class="button danger" href={devicePath(deviceId, 'revoke')}>
              Revoke tokens
            </a>
          </div>
        </section>
      </div>
      <Recent recent={recent} stores={stores} nowMs={viewer.nowMs} target={target} />
      <Deliveries viewer={viewer} deviceId={deviceId} deliveries={deliveries} open={open} />
    </>
  )
}

function Heading({ viewer, device }: { viewer: Viewer; device: Device }) {
  const { deviceId, deviceName, deviceCreationTimestamp } = device
  const metrics = device.positionReportMetrics ?? []
  const lastMs = findLastReportMs(metrics)
  return (
    <div class="heading split">
      <div id="heading" data-live>
        <h1 id={toNameId(deviceId)}>
          <bdi>{toVisible(deviceName)}</bdi>
        </h1>
        <Identifier value={deviceId} />
        <p class="quiet">
          Last report{' '}
          {lastMs === undefined ? 'more than an hour ago, or never' : <Time atMs={lastMs} nowMs={viewer.nowMs} />} ·
          registered <Time atMs={Date.parse(deviceCreationTimestamp)} nowMs={viewer.nowMs} />
        </p>
        {lastMs !== undefined && (
          <p class="rate help">
            <Sparkline metrics={metrics} nowMs={viewer.nowMs} /> reports a minute
          </p>
        )}
      </div>
      <PairForm viewer={viewer} device={device} />
    </div>
  )
}

function NameForm({
  viewer,
  device,
  refused,
}: {
  viewer: Viewer
  device: Device
  refused: DeviceProps['refusedName']
}) {
  return (
    <form class="form" method="post" action={devicePath(device.deviceId, 'name')}>
      <FormToken viewer={viewer} purpose={`name:${device.deviceId}`} />
      <Field id={nameFieldId} label="Name" wrong={refused && [refused.reason]}>
        {(inputProps) => (
          <input {...inputProps} name="name" required maxLength={100} value={refused?.name ?? device.deviceName} />
        )}
      </Field>
      <div>
        <button type="submit">Rename</button>
      </div>
    </form>
  )
}

/** Delivered messages are listed newest first. */
function findLastDelivered(deliveries: Delivery[]): string | undefined {
  return deliveries.find(({ state }) => state === 'delivered')?.attempts.at(-1)?.startedAt
}

export function revokeTokensPage(viewer: Viewer, device: Device): PageAnswer {
  const { deviceId, deviceName } = device
  return portalPage({
    viewer,
    title: 'Revoke tokens',
    tab: 'devices',
    width: 'narrow',
    children: (
      <>
        <h1>
          Revoke the tokens of <bdi>{toVisible(deviceName)}</bdi>?
        </h1>
        <p>
          The tokens stop working within a second. Reports are refused until the device has new tokens: pair it again,
          or let its client request them.
        </p>
        <Identifier value={deviceId} />
        <form method="post" action={devicePath(deviceId, 'revoke')}>
          <FormToken viewer={viewer} purpose={`revoke:${deviceId}`} />
          <div class="choices">
            <button type="submit" class="danger">
              Revoke tokens
            </button>
            <a class="button" href={devicePath(deviceId)}>
              Keep tokens
            </a>
          </div>
        </form>
      </>
    ),
  })
}
