/**
 * The page of the air picture: the map is the page, panels float on it. Without scripts it is the same content as lists
 * and a table.
 */

import { alertWords, toPositionsText } from '@posrep/air/words'
import { toVisible } from '@posrep/kernel/visible'
import type { AirAlert, AirSensor, AirTrack } from '@posrep/spec'
import type { SensorRecord } from '../../pages/map/feed/sensor-record.ts'
import {
  type AlertGroup,
  groupActive,
  maxEndedShown,
  moreOf,
  sortEnded,
} from '../../pages/map/page/panels/alert-groups.ts'
import { toSensorDoubts } from '../../pages/map/page/panels/doubts.ts'
import { Time } from '../../pages/time.tsx'
import { Badge } from '../layout/badge.tsx'
import { airPath, devicePath, pairingStartPath } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import type { Viewer } from '../layout/viewer.tsx'
import { FilterPanel, MapTools, ViewPanel } from './air-controls.tsx'
import { AirMap, AirScript, type OwnMap, toImageOrigin } from './air-map.tsx'
import type { Order } from './air-order.ts'
import { AirTable } from './air-table.tsx'
import { Panel } from './panel.tsx'

export interface AirProps {
  viewer: Viewer
  ownMap: OwnMap
  /** Of the picture. */
  timeMs: number
  tracks: AirTrack[]
  alerts: AirAlert[]
  /** Conditions that are no alerts, because there are too many. */
  moreAlerts: number
  sensors: AirSensor[]
  /** By URN. */
  records: Record<string, SensorRecord>
  order: Order
  page: string | null
}

export function airPage(props: AirProps): PortalPage {
  return portalPage({
    viewer: props.viewer,
    title: 'Air picture',
    tab: 'air',
    width: 'full',
    head: <AirScript />,
    imageOrigin: toImageOrigin(props.ownMap),
    children: <Air {...props} />,
  })
}

/** The air picture is switched off on this server. */
export function airOffPage(viewer: Viewer): PortalPage {
  return portalPage({
    viewer,
    title: 'Air picture',
    tab: 'air',
    children: (
      <>
        <h1>Air picture</h1>
        <section class="panel part">
          <p>
            The air picture is switched off on this server. Reports are accepted and forwarded all the same. Its
            operator can switch it on with <code>--air on</code>.
          </p>
        </section>
      </>
    ),
  })
}

function Air({
  viewer: { nowMs },
  ownMap,
  timeMs,
  tracks,
  alerts,
  moreAlerts,
  sensors,
  records,
  order,
  page,
}: AirProps) {
  const active = alerts.filter(({ state }) => state === 'active').length
  const ended = sortEnded(alerts)
  return (
    <AirMap kind="full" ownMap={ownMap}>
      <h1 class="unseen">Air picture</h1>
      <noscript>
        <p class="panel">
          The map needs JavaScript. The table has everything that it shows. <a href={airPath}>Load the page again</a>{' '}
          for the targets of now.
        </p>
      </noscript>
      <MapTools />
      <div class="air-left">
        <div class="air-panel air-head">
          <p class="air-counts" data-counts>
            {tracks.length} {tracks.length === 1 ? 'target' : 'targets'}
          </p>
          <p class="help">
            <span data-link>
              As of <Time atMs={timeMs} nowMs={nowMs} />
            </span>{' '}
            · Not for navigation
          </p>
          <p class="stale air-stale" role="status" data-stale hidden />
        </div>
        <section class="air-panel" aria-label="Selected target" data-selected hidden />
        <FilterPanel sensors={sensors} records={records} />
        <ViewPanel hasTiles={ownMap.tiles !== undefined} />
      </div>
      <div class="air-right">
        <Panel id="air-alerts" title="Alerts" count={active} isOpen>
          <ul class="air-list" data-alerts>
            {groupActive(alerts).map((group) => (
              <AlertItem key={group[0].id} group={group} nowMs={nowMs} />
            ))}
            {ended.slice(0, maxEndedShown).map((alert) => (
              <AlertItem key={alert.id} group={[alert]} nowMs={nowMs} />
            ))}
          </ul>
          <details data-all-ended hidden={ended.length <= maxEndedShown}>
            <summary>Show all {ended.length} ended</summary>
            <ul class="air-list" data-ended-alerts>
              {ended.slice(maxEndedShown).map((alert) => (
                <AlertItem key={alert.id} group={[alert]} nowMs={nowMs} />
              ))}
            </ul>
          </details>
          <p class="help" data-more-alerts hidden={moreAlerts === 0}>
            {moreAlerts} more are not listed.
          </p>
          <p class="help" data-no-alerts hidden={alerts.length > 0}>
            No alerts.
          </p>
          <p class="help">Advice comes from predictions. Not for navigation.</p>
        </Panel>
        <Panel id="air-sensors" title="Sensors" count={sensors.length}>
          <ul class="air-list" data-sensors>
            {sensors.map((sensor) => (
              <SensorItem key={sensor.deviceId} sensor={sensor} record={records[sensor.deviceId]} nowMs={nowMs} />
            ))}
          </ul>
          <p class="help" data-no-sensors hidden={sensors.length > 0}>
            No sensor has reported yet.
          </p>
        </Panel>
      </div>
      <div class="air-empty air-panel" data-empty hidden={tracks.length > 0}>
        <p>
          <strong>No targets yet</strong>
        </p>
        <p class="help">
          Targets appear as soon as a sensor of your account reports one. Pair a sensor to begin, or look at the Sensors
          panel if one should report already.
        </p>
        <a class="button" href={pairingStartPath}>
          Pair a sensor
        </a>
      </div>
      <div class="air-bottom">
        <Panel id="air-targets" title="Targets" count={tracks.length}>
          <AirTable tracks={tracks} order={order} page={page} nowMs={nowMs} />
        </Panel>
      </div>
      <p class="unseen" aria-live="assertive" data-announce />
      <p class="unseen" aria-live="polite" data-said />
    </AirMap>
  )
}

function AlertItem({ group, nowMs }: { group: AlertGroup; nowMs: number }) {
  const [alert, ...others] = group
  const { kind, text, updatedAt, endedAt } = alert
  const isActive = alert.state === 'active'
  const { silentSensor: silent, conflict } = isActive ? alert : {}
  return (
    <li class={isActive ? 'active' : 'ended'}>
      <p class="split">
        <Badge tone={isActive ? 'bad' : 'quiet'}>{isActive ? alertWords[kind] : `${alertWords[kind]}, ended`}</Badge>
        <span class="help">
          <Time atMs={Date.parse(endedAt ?? updatedAt)} nowMs={nowMs} />
        </span>
      </p>
      <p>{silent ? <a href={devicePath(silent.deviceId)}>{toVisible(text)}</a> : toVisible(text)}</p>
      {silent && (
        <p class="help">
          Last report <Time atMs={Date.parse(silent.lastSeen)} nowMs={nowMs} />
        </p>
      )}
      {conflict?.advice.map((advice) => (
        <p key={advice.text} class="help">
          {toVisible(advice.text)}
        </p>
      ))}
      {others.length > 0 && (
        <details>
          <summary class="help">{moreOf(group)}</summary>
          <ul class="air-list">
            {others.map(({ id, text }) => (
              <li key={id}>{toVisible(text)}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function SensorItem({ sensor, record, nowMs }: { sensor: AirSensor; record: SensorRecord | undefined; nowMs: number }) {
  const { deviceId, state, lastSeen, positionsPerMinute, lagSeconds } = sensor
  return (
    <li>
      <Badge tone={state === 'live' ? 'good' : 'bad'}>{state === 'live' ? 'Live' : 'Silent'}</Badge>{' '}
      <a href={devicePath(deviceId)}>{toVisible(record?.name ?? deviceId)}</a>
      <p class="help">
        <Time atMs={Date.parse(lastSeen)} nowMs={nowMs} /> · {toPositionsText(positionsPerMinute)} a minute
        {lagSeconds !== undefined && ` · lag ${lagSeconds.toFixed(1)} s`}
      </p>
      {toSensorDoubts(sensor, 'metric').map((doubt) => (
        <p class="doubt">{doubt}</p>
      ))}
      {record?.refused && (
        <p class="wrong">
          Refused with {record.refused.status}: {toVisible(record.refused.detail)}
        </p>
      )}
    </li>
  )
}
