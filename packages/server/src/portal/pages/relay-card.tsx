/** The relay of a device: where reports go, how that is, and what can be done about it. */
import type { Device, RelayDetails } from '@posrep/spec'
import { Moment } from '../../pages/moment.tsx'
import { RelayBadge } from './badge.tsx'
import { FormToken, type Viewer } from './frame.tsx'
import { devicePath } from './paths.ts'

export interface RelayCardProps {
  viewer: Viewer
  device: Device
  /** How many messages wait for it. */
  pending: number
  lastDeliveredAt: string | undefined
  /** What was typed and refused. */
  refused?: { url: string; reason: string } | undefined
}

export function RelayCard({ viewer, device, pending, lastDeliveredAt, refused }: RelayCardProps) {
  const { deviceId, relayDetails: relay } = device
  return (
    <section class="panel part" aria-labelledby="relay-heading">
      <h2 id="relay-heading">Relay</h2>
      <div id="relay" data-live class="part">
        <p>
          <RelayBadge state={relay?.state ?? null} /> {relay && <code>{relay.url}</code>}
        </p>
        {relay && <Meaning relay={relay} />}
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
        <div class="field">
          <label for="relay-url">{relay ? 'New address' : 'Address'}</label>
          <input
            id="relay-url"
            name="url"
            type="url"
            required
            maxLength={2048}
            value={refused?.url ?? ''}
            placeholder={relay?.url ?? 'https://'}
            aria-invalid={refused ? true : undefined}
            aria-describedby={refused ? 'relay-wrong relay-help' : 'relay-help'}
          />
          {refused && (
            <p class="wrong" id="relay-wrong">
              {refused.reason}
            </p>
          )}
          <p class="help" id="relay-help">
            An https address. We send a code there at once, and it has to give the code back; then reports are forwarded
            to it.
          </p>
        </div>
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
