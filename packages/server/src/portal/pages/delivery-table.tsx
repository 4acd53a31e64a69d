/** Deliveries as rows, with attempts and timing; and one of them with its message. */
import type { Delivery } from '@posrep/spec'
import { Moment } from '../../pages/moment.tsx'
import { Badge } from './badge.tsx'
import { FormToken, type Viewer } from './frame.tsx'
import { resendPath } from './paths.ts'

export interface DeliveryTableProps {
  viewer: Viewer
  deviceId: string
  deliveries: Delivery[]
  /** The page that shows the same with the message of this one. */
  toOpenHref(id: string): string
  /** The list that one comes back to after Resend. Default: the device's page. */
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
            <th scope="col">Owed since</th>
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
          <code>{messageId.slice(0, 16)}…</code>
        </a>
      </th>
      <td data-label="State">
        <Badge tone={tone}>{word}</Badge>
        {state !== 'delivered' && reason !== null && <p class="help">{reason}</p>}
        {nextAttemptAt !== null && <p class="help">Tried again {toWhen(Date.parse(nextAttemptAt) - viewer.nowMs)}</p>}
      </td>
      <td data-label="Owed since">
        <Moment atMs={Date.parse(owedSince)} nowMs={viewer.nowMs} />
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

/** Of the next attempt. */
export function toWhen(inMs: number): string {
  if (inMs <= 0) return 'now'
  return inMs < 120_000 ? `in ${Math.ceil(inMs / 1_000)} s` : `in ${Math.ceil(inMs / 60_000)} min`
}

/** Nothing where the message is not there any more. */
export function DeliveryBody({ delivery }: { delivery: Delivery | undefined }) {
  if (delivery?.message === undefined) return null
  return (
    <div class="part" id="message">
      <h3 id="message-heading">
        Message <code>{delivery.messageId}</code>
      </h3>
      {delivery.messageTruncated && <p class="help">Only the beginning of it was kept.</p>}
      {/* To be read, scrolled by keyboard and copied. */}
      <textarea readOnly rows={10} spellcheck={false} aria-labelledby="message-heading">
        {delivery.message}
      </textarea>
    </div>
  )
}
