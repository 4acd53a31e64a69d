/** The relay of a device: where reports go, how that is, and what can be done about it. */
import type { Delivery, DeliveryList, Device, RelayDetails } from '@posrep/spec'
import { Field } from '../../pages/field.tsx'
import { Moment } from '../../pages/moment.tsx'
import { RelayBadge } from './badge.tsx'
import { toWhen } from './delivery-table.tsx'
import { FormToken, type Viewer } from './frame.tsx'
import { devicePath } from './paths.ts'

export interface RelayCardProps {
  viewer: Viewer
  device: Device
  /** How many messages wait for it, and how many gave way to them. */
  deliveries: DeliveryList
  lastDeliveredAt: string | undefined
  /** What was typed and refused. */
  refused?: { url: string; reason: string } | undefined
}

export const relayFieldId = 'relay-url'

export function RelayCard({ viewer, device, deliveries, lastDeliveredAt, refused }: RelayCardProps) {
  const { deviceId, relayDetails: relay } = device
  const { pending, data } = deliveries
  // Pending ones come in the order in which they go out.
  const retried =
    relay?.state === 'Active'
      ? data.find(({ state, attemptCount }) => state === 'pending' && attemptCount > 0)
      : undefined
  return (
    <section class="panel part" aria-labelledby="relay-heading">
      <h2 id="relay-heading">Relay</h2>
      <div id="relay" data-live class="part">
        <p>
          <RelayBadge state={relay?.state ?? null} isRetrying={retried !== undefined} />{' '}
          {relay && <code>{relay.url}</code>}
        </p>
        {retried ? <Retrying delivery={retried} nowMs={viewer.nowMs} /> : relay && <Meaning relay={relay} />}
        <DroppedMessages {...deliveries} nowMs={viewer.nowMs} />
        {relay && (
          <dl class="facts columns">
            <div>
              <dt>Last delivery</dt>
              <dd>
                {lastDeliveredAt === undefined ? (
                  'none yet'
                ) : (
                  <Moment atMs={Date.parse(lastDeliveredAt)} nowMs={viewer.nowMs} />
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
      </div>
      <form class="form" method="post" action={devicePath(deviceId, 'relay')}>
        <FormToken viewer={viewer} purpose={`relay:${deviceId}`} />
        <input type="hidden" name="state" value="1" />
        <Field
          id={relayFieldId}
          label={relay ? 'New address' : 'Address'}
          wrong={refused && [refused.reason]}
          help="An https address. We send a code there at once, and it has to give the code back; then reports are forwarded to it."
        >
          {(ties) => (
            <input
              {...ties}
              name="url"
              type="url"
              required
              maxLength={2048}
              // One that failed is mended where it stands.
              value={refused?.url ?? (relay?.state === 'Failed' ? relay.url : '')}
              placeholder={relay?.url ?? 'https://'}
            />
          )}
        </Field>
        <div>
          <button type="submit" class="main">
            {relay ? 'Change address' : 'Set address'}
          </button>
        </div>
      </form>
    </section>
  )
}

function Meaning({ relay: { state, failureDescription } }: { relay: RelayDetails }) {
  if (state === 'Active') return <p>Every report is forwarded as it is processed.</p>
  if (state === 'Inactive') return <p>Nothing is forwarded. What waits is kept until the retention time is over.</p>
  return (
    <p class="failure">
      {failureDescription ?? 'It failed for a reason that is not known'}. Nothing is forwarded; what waits is kept until
      the retention time is over. Mend the receiver, then press Activate.
    </p>
  )
}

function Retrying({ delivery, nowMs }: { delivery: Delivery; nowMs: number }) {
  const { reason, attemptCount, nextAttemptAt } = delivery
  const when = nextAttemptAt === null ? 'soon' : toWhen(Date.parse(nextAttemptAt) - nowMs)
  return (
    <p>
      {reason ?? 'The relay did not take the last message'}. We try again {when} (attempt {attemptCount + 1}). What
      waits is kept.
    </p>
  )
}

type DroppedMessagesProps = Omit<DeliveryList, 'data'> & { nowMs: number }

function DroppedMessages({ dropped, firstDroppedAt, lastDroppedAt, nowMs }: DroppedMessagesProps) {
  if (firstDroppedAt === null || lastDroppedAt === null) return null
  const first = <Moment atMs={Date.parse(firstDroppedAt)} nowMs={nowMs} />
  const last = <Moment atMs={Date.parse(lastDroppedAt)} nowMs={nowMs} />
  return (
    <p class="failure">
      {dropped === 1 ? (
        <>1 message was dropped {last}: </>
      ) : (
        <>
          {dropped.toLocaleString('en')} messages were dropped, the first {first}, the last {last}:{' '}
        </>
      )}
      more waited for this address than is kept for one relay, so the oldest gave way to newer ones. What was dropped is
      not sent later.
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
    <form method="post" action={devicePath(deviceId, 'relay')}>
      <FormToken viewer={viewer} purpose={`relay:${deviceId}`} />
      <input type="hidden" name="url" value={relay.url} />
      <input type="hidden" name="state" value={state} />
      <button type="submit">{label}</button>
    </form>
  )
}
