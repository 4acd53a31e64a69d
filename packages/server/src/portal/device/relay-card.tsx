/** The relay section of a device's page: address, state, last delivery, and the forms that change the relay. */
import type { DeliveryList, Device, RelayDetails, RetryingRelay } from '@posrep/spec'
import { Field } from '../../pages/forms/field.tsx'
import { Live } from '../../pages/live.tsx'
import { Time } from '../../pages/time.tsx'
import { RelayBadge } from '../layout/badge.tsx'
import { deliveriesPath, devicePath } from '../layout/paths.ts'
import { FormToken, type Viewer } from '../layout/viewer.tsx'

export interface RelayCardProps {
  viewer: Viewer
  device: Device
  /** The pending messages, and how many messages were dropped. */
  deliveries: DeliveryList
  lastDeliveredAt: string | undefined
  /** If the relay does not accept its messages now. */
  retrying: RetryingRelay | undefined
  /** The address that the user typed, and why it was refused. */
  refused?: { url: string; reason: string } | undefined
}

export const relayFieldId = 'relay-url'

export function RelayCard({ viewer, device, deliveries, lastDeliveredAt, retrying, refused }: RelayCardProps) {
  const { deviceId, relayDetails: relay } = device
  return (
    <section class="panel part" aria-labelledby="relay-heading">
      <h2 id="relay-heading">Relay</h2>
      <Live id="relay" class="part">
        <RelayNow
          viewer={viewer}
          device={device}
          deliveries={deliveries}
          lastDeliveredAt={lastDeliveredAt}
          retrying={retrying}
        />
      </Live>
      <form class="form unprinted" method="post" action={devicePath(deviceId, 'relay')}>
        <FormToken viewer={viewer} purpose={`relay:${deviceId}`} />
        <Field
          id={relayFieldId}
          label={relay ? 'New address' : 'Address'}
          wrong={refused && [refused.reason]}
          help={
            relay
              ? 'We send it a code first, and it must return that code. Until it does, nothing changes here.'
              : 'An https address. We send it a code, and it must return that code. Then reports are forwarded to it.'
          }
        >
          {(inputProps) => (
            <input
              {...inputProps}
              name="url"
              type="url"
              required
              maxLength={2048}
              value={refused?.url ?? ''}
              placeholder={relay?.url ?? 'https://'}
            />
          )}
        </Field>
        <div>
          <button type="submit" class={relay ? undefined : 'main'}>
            {relay ? 'Change address' : 'Set address'}
          </button>
        </div>
      </form>
    </section>
  )
}

function RelayNow({ viewer, device, deliveries, lastDeliveredAt, retrying }: Omit<RelayCardProps, 'refused'>) {
  const { deviceId, relayDetails: relay } = device
  const { pending, buried } = deliveries
  return (
    <>
      <p>
        <RelayBadge state={relay?.state ?? null} retrying={retrying} nowMs={viewer.nowMs} />{' '}
        {relay && <code>{relay.url}</code>}
      </p>
      {retrying ? <Retrying viewer={viewer} retrying={retrying} /> : relay && <Meaning relay={relay} />}
      {buried > 0 && (
        <p class="doubt">
          <a href={deliveriesPath(deviceId, 'buried')}>
            {buried.toLocaleString('en')} {buried === 1 ? 'message is' : 'messages are'} set aside
          </a>
          : the relay did not accept {buried === 1 ? 'it' : 'them'}. The list has{' '}
          {buried === 1 ? 'the reason' : 'the reasons'}, and Resend.
        </p>
      )}
      <DroppedMessages {...deliveries} nowMs={viewer.nowMs} />
      {relay && (
        <dl class="details columns">
          <div>
            <dt>Last delivery</dt>
            <dd>
              {lastDeliveredAt === undefined ? (
                'none yet'
              ) : (
                <Time atMs={Date.parse(lastDeliveredAt)} nowMs={viewer.nowMs} />
              )}
            </dd>
          </div>
          <div>
            <dt>Waiting</dt>
            <dd>
              {pending} {pending === 1 ? 'message' : 'messages'}
            </dd>
          </div>
        </dl>
      )}
      {relay && (
        <div class="buttons">
          {relay.state === 'Active' ? (
            <RelayButton viewer={viewer} deviceId={deviceId} relay={relay} state={2} label="Deactivate" />
          ) : (
            <RelayButton viewer={viewer} deviceId={deviceId} relay={relay} state={1} label="Activate" />
          )}
          {relay.state === 'Active' && (
            <form method="post" action={devicePath(deviceId, 'test-message')}>
              <FormToken viewer={viewer} purpose={`test-message:${deviceId}`} />
              <button type="submit">Send test message</button>
            </form>
          )}
        </div>
      )}
    </>
  )
}

function Meaning({ relay: { state, failureDescription } }: { relay: RelayDetails }) {
  if (state === 'Active') return <p>Every report is forwarded as it is processed.</p>
  if (state === 'Inactive')
    return <p>Nothing is forwarded. Waiting messages are kept until the retention time is over.</p>
  return (
    <p class="failure">
      {failureDescription ?? 'The relay failed for an unknown reason'}. Nothing is forwarded. Waiting messages are kept
      until the retention time is over. Fix the receiver, then press Activate.
    </p>
  )
}

function Retrying({ viewer, retrying }: { viewer: Viewer; retrying: RetryingRelay }) {
  const { deviceId, reason, attemptCount, nextAttemptAt } = retrying
  return (
    <div class="split">
      <p>
        {reason ?? 'The relay did not accept the last message'}. We try again{' '}
        {nextAttemptAt === null ? 'soon' : <Time atMs={Date.parse(nextAttemptAt)} nowMs={viewer.nowMs} />} (attempt{' '}
        {attemptCount + 1}). Waiting messages are kept.
      </p>
      <form method="post" action={devicePath(deviceId, 'retry')}>
        <FormToken viewer={viewer} purpose={`retry:${deviceId}`} />
        <button type="submit">Try now</button>
      </form>
    </div>
  )
}

type DroppedMessagesProps = Omit<DeliveryList, 'data'> & { nowMs: number }

function DroppedMessages({ dropped, firstDroppedAt, lastDroppedAt, nowMs }: DroppedMessagesProps) {
  if (firstDroppedAt === null || lastDroppedAt === null) return null
  const first = <Time atMs={Date.parse(firstDroppedAt)} nowMs={nowMs} />
  const last = <Time atMs={Date.parse(lastDroppedAt)} nowMs={nowMs} />
  return (
    <p class="failure">
      {dropped === 1 ? (
        <>1 message was dropped {last}: </>
      ) : (
        <>
          {dropped.toLocaleString('en')} messages were dropped, the first {first}, the last {last}:{' '}
        </>
      )}
      more messages were waiting than are kept for one relay, so the oldest were dropped. Dropped messages are not sent
      later.
    </p>
  )
}

interface RelayButtonProps {
  viewer: Viewer
  deviceId: string
  relay: RelayDetails
  state: 1 | 2
  label: string
}

function RelayButton({ viewer, deviceId, relay, state, label }: RelayButtonProps) {
  return (
    <form method="post" action={devicePath(deviceId, 'relay-state')}>
      <FormToken viewer={viewer} purpose={`relay-state:${deviceId}`} />
      <input type="hidden" name="url" value={relay.url} />
      <input type="hidden" name="state" value={state} />
      <button type="submit" class={state === 1 ? 'main' : undefined}>
        {label}
      </button>
    </form>
  )
}
