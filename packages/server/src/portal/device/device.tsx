/** The page of one device: its charts, targets, relay, deliveries, settings and history. */

import { toVisible } from '@posrep/kernel/visible'
import type { AirAlert, Delivery, DeliveryList, Device, DeviceHistory } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { ErrorSummary } from '../../pages/forms/error-summary.tsx'
import { Live } from '../../pages/live.tsx'
import { toSensorDoubts } from '../../pages/map/page/panels/doubts.ts'
import { Notice } from '../../pages/notice.tsx'
import { Time } from '../../pages/time.tsx'
import { AirScript, CompactAirMap, type OwnMap, toImageOrigin } from '../air/air-map.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import {
  DetailsForm,
  PairForm,
  type RefusedDetails,
  StorageSwitch,
  toFieldId,
  toNameId,
} from '../devices/device-forms.tsx'
import { type AccountState, findLastReportMs, reportStates, toReportState } from '../devices/device-state.ts'
import { Badge } from '../layout/badge.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { airPath, devicePath, withQuery } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import type { Viewer } from '../layout/viewer.tsx'
import { DeviceCharts } from './device-charts.tsx'
import { History } from './history.tsx'
import { Recent } from './recent.tsx'
import type { RecentPositions } from './recent-positions.ts'
import { RelayCard, type RelayCardProps, relayFieldId } from './relay-card.tsx'

export interface DeviceProps {
  viewer: Viewer
  device: Device
  state: AccountState
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
  refusedDetails?: RefusedDetails | undefined
}

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
  const { viewer, device, state, recent, deliveries, history, open, ownMap, query } = props
  const { silence, notice, refusedRelay, refusedDetails } = props
  const { deviceId, shouldStorePositionReportMetrics: stores } = device
  const delivered = deliveries.data.find(({ state }) => state === 'delivered')
  const errors = [
    ...(refusedRelay ? [{ text: refusedRelay.reason, fieldId: relayFieldId }] : []),
    ...(refusedDetails ? [{ text: refusedDetails.reason, fieldId: toFieldId(refusedDetails.field, deviceId) }] : []),
  ]
  return (
    <>
      {errors.length > 0 && <ErrorSummary title="Nothing was changed" errors={errors} />}
      {errors.length === 0 && notice && <Notice {...notice} />}
      <Heading viewer={viewer} device={device} state={state} silence={silence} />
      <Parts hasMap={ownMap !== undefined} />
      <div class="columns">
        <RelayCard
          viewer={viewer}
          device={device}
          deliveries={deliveries}
          lastDeliveredAt={delivered?.attempts.at(-1)?.startedAt}
          retrying={state.retrying.get(deviceId)}
          refused={refusedRelay}
        />
        <History history={history} nowMs={viewer.nowMs} />
      </div>
      {ownMap && <CompactAirMap ownMap={ownMap} device={deviceId} title="Targets on the map" />}
      <DeviceCharts device={device} deliveryMetrics={deliveries.deliveryMetrics ?? []} nowMs={viewer.nowMs} />
      <Recent recent={recent} stores={stores} query={query} nowMs={viewer.nowMs} />
      <Deliveries viewer={viewer} deviceId={deviceId} deliveries={deliveries} open={open} query={query} />
      <Settings viewer={viewer} device={device} refusedDetails={refusedDetails} />
    </>
  )
}

/** The page is long; its index stays at the top. */
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

function Heading({ viewer, device, state, silence }: Pick<DeviceProps, 'viewer' | 'device' | 'state' | 'silence'>) {
  const { deviceId, deviceName, deviceCreationTimestamp } = device
  const lastMs = findLastReportMs(device, state)
  const reports = toReportState(device, state)
  const { tone, word } = reportStates[reports]
  const sensor = state.sensors?.get(deviceId)
  return (
    <div class="heading split">
      <div class="heading">
        <h1 id={toNameId(deviceId)}>
          <bdi>{toVisible(deviceName)}</bdi>
        </h1>
        <Identifier value={deviceId} />
        <Live id="heading">
          <p class="quiet">
            <Badge tone={tone}>{word}</Badge>{' '}
            {lastMs !== undefined && (
              <>
                Last report <Time atMs={lastMs} nowMs={viewer.nowMs} /> ·{' '}
              </>
            )}
            {lastMs === undefined && reports !== 'never' && 'No report in the last hour · '}
            registered <Time atMs={Date.parse(deviceCreationTimestamp)} nowMs={viewer.nowMs} />
            {silence && (
              <>
                {' '}
                · <a href={`${airPath}#air-alerts`}>Alert: {toVisible(silence.text)}</a>
              </>
            )}
          </p>
          {sensor && toSensorDoubts(sensor, 'metric').map((doubt) => <p class="doubt">{doubt}</p>)}
        </Live>
      </div>
      <PairForm viewer={viewer} device={device} />
    </div>
  )
}

function Settings({ viewer, device, refusedDetails }: Pick<DeviceProps, 'viewer' | 'device' | 'refusedDetails'>) {
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
      <DetailsForm viewer={viewer} device={device} refused={refusedDetails} />
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
