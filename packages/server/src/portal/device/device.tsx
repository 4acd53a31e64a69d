/** The page of one device: its charts, targets, relay, deliveries, settings and history. */
import type { AirAlert, Delivery, DeliveryList, Device, DeviceHistory } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { ErrorSummary } from '../../pages/forms/error-summary.tsx'
import { Field } from '../../pages/forms/field.tsx'
import { Live } from '../../pages/live.tsx'
import { Notice } from '../../pages/notice.tsx'
import { Time } from '../../pages/time.tsx'
import { toVisible } from '../../visible.ts'
import { AirScript, CompactAirMap, type OwnMap, toImageOrigin } from '../air/air-map.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { PairForm, StorageSwitch, TagsForm, toNameId, toTagsFieldId } from '../devices/device-forms.tsx'
import { findLastReportMs, reportStates, toReportState } from '../devices/device-state.ts'
import { Badge } from '../layout/badge.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { airPath, devicePath, withQuery } from '../layout/paths.ts'
import { FormToken, type PortalPage, portalPage, type Viewer } from '../layout/portal-layout.tsx'
import { DeviceCharts } from './device-charts.tsx'
import { History } from './history.tsx'
import { Recent } from './recent.tsx'
import type { RecentPositions } from './recent-positions.ts'
import { RelayCard, type RelayCardProps, relayFieldId } from './relay-card.tsx'

export interface DeviceProps {
  viewer: Viewer
  device: Device
  recent: RecentPositions
  deliveries: DeliveryList
  history: DeviceHistory
  open: Delivery | undefined
  /** Undefined without an air picture. */
  ownMap: OwnMap | undefined
  /** The alert that the device is silent. */
  silence: AirAlert | undefined
  query: URLSearchParams
  notice?: { text: string; isFailure?: boolean } | undefined
  refusedRelay?: RelayCardProps['refused']
  refusedTags?: { tags: string; reason: string } | undefined
  refusedName?: { name: string; reason: string } | undefined
}

const nameFieldId = 'device-name'

export function devicePage(props: DeviceProps, status: PageAnswer['status'] = 200): PortalPage {
  const { viewer, device, query } = props
  return portalPage(
    {
      viewer,
      title: device.deviceName,
      tab: 'devices',
      hasCharts: true,
      livePath: withQuery(devicePath(device.deviceId, 'live'), query),
      ...(props.ownMap && { head: <AirScript />, imageOrigin: toImageOrigin(props.ownMap) }),
      children: <DeviceOf {...props} />,
    },
    status,
  )
}

function DeviceOf(props: DeviceProps) {
  const { viewer, device, recent, deliveries, history, open, ownMap, query } = props
  const { silence, notice, refusedRelay, refusedName, refusedTags } = props
  const { deviceId, shouldStorePositionReportMetrics: stores } = device
  const delivered = deliveries.data.find(({ state }) => state === 'delivered')
  const errors = [
    ...(refusedRelay ? [{ text: refusedRelay.reason, fieldId: relayFieldId }] : []),
    ...(refusedName ? [{ text: refusedName.reason, fieldId: nameFieldId }] : []),
    ...(refusedTags ? [{ text: refusedTags.reason, fieldId: toTagsFieldId(deviceId) }] : []),
  ]
  return (
    <>
      {errors.length > 0 && <ErrorSummary title="Nothing was changed" errors={errors} />}
      {errors.length === 0 && notice && <Notice {...notice} />}
      <Heading viewer={viewer} device={device} silence={silence} />
      <Parts hasMap={ownMap !== undefined} />
      <div class="columns">
        <RelayCard
          viewer={viewer}
          device={device}
          deliveries={deliveries}
          lastDeliveredAt={delivered?.attempts.at(-1)?.startedAt}
          refused={refusedRelay}
        />
        <History history={history} nowMs={viewer.nowMs} />
      </div>
      {ownMap && <CompactAirMap ownMap={ownMap} device={deviceId} title="Targets on the map" />}
      <DeviceCharts device={device} deliveryMetrics={deliveries.deliveryMetrics ?? []} nowMs={viewer.nowMs} />
      <Recent recent={recent} stores={stores} query={query} nowMs={viewer.nowMs} />
      <Deliveries viewer={viewer} deviceId={deviceId} deliveries={deliveries} open={open} query={query} />
      <Settings viewer={viewer} device={device} refusedName={refusedName} refusedTags={refusedTags} />
    </>
  )
}

/** On a phone the page is long. */
function Parts({ hasMap }: { hasMap: boolean }) {
  return (
    <nav class="parts" aria-label="On this page">
      {hasMap && <a href="#air-heading">Map</a>}
      <a href="#charts-heading">Last hour</a>
      <a href="#recent-heading">Targets</a>
      <a href="#deliveries-heading">Deliveries</a>
      <a href="#settings-heading">Settings</a>
    </nav>
  )
}

function Heading({ viewer, device, silence }: Pick<DeviceProps, 'viewer' | 'device' | 'silence'>) {
  const { deviceId, deviceName, deviceCreationTimestamp } = device
  const lastMs = findLastReportMs(device)
  const { tone, word } = reportStates[toReportState(device, viewer.nowMs)]
  return (
    <div class="heading split">
      <div class="heading">
        <h1 id={toNameId(deviceId)}>
          <bdi>{toVisible(deviceName)}</bdi>
        </h1>
        <Identifier value={deviceId} />
        <Live id="heading">
          <p class="quiet">
            <Badge tone={tone}>{word}</Badge> Last report{' '}
            {lastMs === undefined ? 'more than an hour ago, or never' : <Time atMs={lastMs} nowMs={viewer.nowMs} />} ·
            registered <Time atMs={Date.parse(deviceCreationTimestamp)} nowMs={viewer.nowMs} />
            {silence && (
              <>
                {' '}
                · <a href={`${airPath}#air-alerts`}>Alert: {toVisible(silence.text)}</a>
              </>
            )}
          </p>
        </Live>
      </div>
      <PairForm viewer={viewer} device={device} />
    </div>
  )
}

function Settings({
  viewer,
  device,
  refusedName,
  refusedTags,
}: Pick<DeviceProps, 'viewer' | 'device' | 'refusedName' | 'refusedTags'>) {
  const { deviceId } = device
  return (
    <section class="panel part unprinted" aria-labelledby="settings-heading">
      <h2 id="settings-heading">Settings</h2>
      <div class="split">
        <p>
          Store reports
          <br />
          <span class="help">
            Reports of the last hour are kept and shown here. Forwarding to the relay does not depend on it.
          </span>
        </p>
        <StorageSwitch viewer={viewer} device={device} />
      </div>
      <NameForm viewer={viewer} device={device} refused={refusedName} />
      <TagsForm viewer={viewer} device={device} refused={refusedTags} />
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
      <div class="split">
        <p>
          Remove
          <br />
          <span class="help">The device leaves your account. It can be registered again later.</span>
        </p>
        <a class="button danger" href={devicePath(deviceId, 'remove')}>
          Remove device
        </a>
      </div>
    </section>
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
