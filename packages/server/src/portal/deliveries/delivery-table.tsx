/** A table of deliveries with attempts and timing, and the message of one of them. */
import type { Delivery } from '@posrep/spec'
import { Time } from '../../pages/time.tsx'
import { Badge } from '../layout/badge.tsx'
import { resendPath } from '../layout/paths.ts'
import { FormToken, type Viewer } from '../layout/portal-layout.tsx'

export interface DeliveryTableProps {
  viewer: Viewer
  deviceId: string
  deliveries: Delivery[]
  /** The link to this page with the message of the given delivery. */
  toOpenHref(id: string): string
  /** The list to return to after Resend. Default: the device's page. */
  list?: Delivery['state']
}

export const words: Record<Delivery['state'], { tone: 'good' | 'busy' | 'bad'; word: string }> = {
  pending: { tone: 'busy', word: 'Waiting' },
  delivered: { tone: 'good', word: 'Delivered' },
  buried: { tone: 'bad', word: 'Set aside' },
}

export function DeliveryTable(props: DeliveryTableProps) {
  return (
    <div class="scroll stacks">
      <table>
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">State</th>
            <th scope="col">Queued since</th>
            <th scope="col">Attempts</th>
            <th scope="col">Last answer</th>
            <th scope="col">Took</th>
            <th scope="col">
              <span class="unseen">Resend</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.deliveries.map((delivery) => (
            <Row key={delivery.id} {...props} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ viewer, deviceId, delivery, toOpenHref, list }: DeliveryTableProps & { delivery: Delivery }) {
  const { id, messageId, state, owedSince, attemptCount, attempts, nextAttemptAt, reason } = delivery
  const { tone, word } = words[state]
  const last = attempts.at(-1)
  return (
    <tr>
      <th scope="row">
        <a href={toOpenHref(id)}>
          <code>{messageId.slice(messageId.indexOf('/') + 1).slice(0, 16)}…</code>
        </a>
      </th>
      <td data-label="State">
        <Badge tone={tone}>{word}</Badge>
        {state !== 'delivered' && reason !== null && <p class="help">{reason}</p>}
        {nextAttemptAt !== null && <p class="help">Next attempt {toWhen(Date.parse(nextAttemptAt) - viewer.nowMs)}</p>}
      </td>
      <td data-label="Queued since">
        <Time atMs={Date.parse(owedSince)} nowMs={viewer.nowMs} />
      </td>
      <td data-label="Attempts">{attemptCount}</td>
      <td data-label="Last answer">{last ? (last.status ?? 'no answer') : '–'}</td>
      <td data-label="Took">{last ? `${Math.round(last.durationMilliseconds)} ms` : '–'}</td>
      <td>
        {state !== 'pending' && (
          <form method="post" action={resendPath(deviceId, id)}>
            <FormToken viewer={viewer} purpose={`resend:${id}`} />
            {list && <input type="hidden" name="list" value={list} />}
            <button type="submit">Resend</button>
          </form>
        )}
      </td>
    </tr>
  )
}

/** When the next attempt is made, such as `in 40 s`. */
export function toWhen(inMs: number): string {
  if (inMs <= 0) return 'now'
  return inMs < 120_000 ? `in ${Math.ceil(inMs / 1_000)} s` : `in ${Math.ceil(inMs / 60_000)} min`
}

/** Renders nothing when the message is no longer kept. */
export function DeliveryBody({ delivery }: { delivery: Delivery | undefined }) {
  if (delivery?.message === undefined) return null
  return (
    <div class="part" id="message">
      <h3 id="message-heading">
        Message <code>{delivery.messageId}</code>
      </h3>
      {delivery.messageTruncated && <p class="help">Only the beginning of the message was kept.</p>}
      {/* A textarea can be scrolled by keyboard and copied. */}
      <textarea readOnly rows={10} spellcheck={false} aria-labelledby="message-heading">
        {delivery.message}
      </textarea>
    </div>
  )
}
