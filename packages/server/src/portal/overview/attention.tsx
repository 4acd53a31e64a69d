/**
 * What needs attention first: Failed relays, relays that are being retried, then devices that have become silent.
 * In: the devices, and the relays that are being retried. Out: rows of a list, in this order.
 */
import type { Device, RetryingRelay } from '@posrep/spec'
import { LiveRows, NewRows } from '../../pages/live.tsx'
import { Time } from '../../pages/time.tsx'
import { toVisible } from '../../visible.ts'
import { sortDevices } from '../devices/device-order.ts'
import { findLastReportMs, isFailing, toUrgency } from '../devices/device-state.ts'
import { Badge } from '../layout/badge.tsx'
import { deliveriesPath, devicePath } from '../layout/paths.ts'

export interface Concern {
  device: Device
  /** The relay is Active, and does not accept its messages now. */
  retrying: RetryingRelay | undefined
}

const maxListed = 10

export function toConcerns(devices: readonly Device[], retrying: readonly RetryingRelay[], nowMs: number): Concern[] {
  const byDevice = new Map(retrying.map((relay) => [relay.deviceId, relay]))
  const concerns = sortDevices(devices, 'attention', nowMs)
    .map((device): Concern => ({ device, retrying: byDevice.get(device.deviceId) }))
    .filter((concern) => toRank(concern, nowMs) < ranks.none)
  return concerns.sort((a, b) => toRank(a, nowMs) - toRank(b, nowMs)).slice(0, maxListed)
}

const ranks = { failed: 0, retrying: 1, silent: 2, none: 3 }

function toRank({ device, retrying }: Concern, nowMs: number): number {
  if (isFailing(device)) return ranks.failed
  if (retrying) return ranks.retrying
  return toUrgency(device, nowMs) < 2 ? ranks.silent : ranks.none
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

function Reason({ device, retrying, nowMs }: Concern & { nowMs: number }) {
  if (isFailing(device)) {
    return (
      <>
        <Badge tone="bad">Relay Failed</Badge> {device.relayDetails?.failureDescription ?? 'The reason is not known'}.
        Fix the receiver, then press Activate.
      </>
    )
  }
  if (retrying) {
    const { reason, attemptCount, pending } = retrying
    return (
      <>
        <Badge tone="busy">Relay retrying</Badge> {reason ?? 'The relay did not accept the last message'} (attempt{' '}
        {attemptCount}).{' '}
        <a href={deliveriesPath(device.deviceId, 'pending')}>
          {pending.toLocaleString('en')} {pending === 1 ? 'message waits' : 'messages wait'}
        </a>{' '}
        and {pending === 1 ? 'is' : 'are'} kept. We try again until the relay accepts them.
      </>
    )
  }
  const lastMs = findLastReportMs(device)
  return (
    <>
      <Badge tone="quiet">Silent</Badge> Last report{' '}
      {lastMs === undefined ? 'more than an hour ago' : <Time atMs={lastMs} nowMs={nowMs} />}. Check its power and its
      network.
    </>
  )
}
