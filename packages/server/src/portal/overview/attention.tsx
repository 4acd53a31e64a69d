/**
 * What needs attention first: Failed relays, relays that are being retried, then devices that have become silent.
 * In: the devices, and the state of the account. Out: rows of a list, in this order.
 */

import { toVisible } from '@posrep/kernel/visible'
import type { Device, RetryingRelay } from '@posrep/spec'
import { LiveRows, NewRows } from '../../pages/live.tsx'
import { Time } from '../../pages/time.tsx'
import { sortDevices } from '../devices/device-order.ts'
import { type AccountState, findLastReportMs, isFailing, noUrgency, toUrgency } from '../devices/device-state.ts'
import { Badge, RetryingBadge } from '../layout/badge.tsx'
import { deliveriesPath, devicePath } from '../layout/paths.ts'

export interface Concern {
  device: Device
  /** The relay is Active, and does not accept its messages now. */
  retrying: RetryingRelay | undefined
  /** When its last report was received, if this is known. */
  lastMs: number | undefined
}

const maxListed = 10

export function toConcerns(devices: readonly Device[], state: AccountState): Concern[] {
  return sortDevices(devices, 'attention', state)
    .filter((device) => toUrgency(device, state) < noUrgency)
    .slice(0, maxListed)
    .map((device) => ({
      device,
      retrying: state.retrying.get(device.deviceId),
      lastMs: findLastReportMs(device, state),
    }))
}

export function AttentionList({ concerns, nowMs }: { concerns: Concern[]; nowMs: number }) {
  return (
    <div class="list">
      <NewRows id="attention" />
      <LiveRows
        id="attention"
        as="ul"
        class="rows"
        rows={concerns.map((concern) => <Row key={concern.device.deviceId} concern={concern} nowMs={nowMs} />)}
      />
    </div>
  )
}

function Row({ concern, nowMs, ...row }: { concern: Concern; nowMs: number }) {
  const { deviceId, deviceName } = concern.device
  return (
    <li {...row} class="row">
      <p>
        <a href={devicePath(deviceId)}>
          <bdi>{toVisible(deviceName)}</bdi>
        </a>
        <br />
        <Reason {...concern} nowMs={nowMs} />
      </p>
    </li>
  )
}

function Reason({ device, retrying, lastMs, nowMs }: Concern & { nowMs: number }) {
  if (isFailing(device)) {
    return (
      <>
        <Badge tone="bad">Relay Failed</Badge> {device.relayDetails?.failureDescription ?? 'The reason is not known'}.
        Fix the receiver, then press Activate.
      </>
    )
  }
  if (retrying) {
    const { reason, attemptCount, nextAttemptAt } = retrying
    return (
      <>
        <RetryingBadge retrying={retrying} nowMs={nowMs} /> {reason ?? 'The relay did not accept the last message'}{' '}
        (attempt {attemptCount}). We try again{' '}
        {nextAttemptAt === null ? 'soon' : <Time atMs={Date.parse(nextAttemptAt)} nowMs={nowMs} />}; the{' '}
        <a href={deliveriesPath(device.deviceId, 'pending')}>waiting messages</a> are kept.
      </>
    )
  }
  return (
    <>
      <Badge tone="quiet">Silent</Badge> Last report{' '}
      {lastMs === undefined ? 'more than an hour ago' : <Time atMs={lastMs} nowMs={nowMs} />}. Check its power and its
      network.
    </>
  )
}
