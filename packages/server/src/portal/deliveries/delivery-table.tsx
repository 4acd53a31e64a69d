/** A table of deliveries with attempts and timing. */
import type { Delivery } from '@posrep/spec'
import { LiveTable } from '../../pages/live-table.tsx'
import { Time } from '../../pages/time.tsx'
import { Badge } from '../layout/badge.tsx'
import { resendPath } from '../layout/paths.ts'
import { FormToken, type Viewer } from '../layout/viewer.tsx'

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
    <LiveTable
      id="delivery-rows"
      columns={['Message', 'State', 'Queued', 'Attempts', 'Last answer', 'Took', { unseen: 'Resend' }]}
      rows={props.deliveries.map((delivery) => <Row key={delivery.id} {...props} delivery={delivery} />)}
    />
  )
}

type RowProps = DeliveryTableProps & { delivery: Delivery }

function Row({ viewer, deviceId, deliveries: _, delivery, toOpenHref, list, ...row }: RowProps) {
  const { id, messageId, state, owedSince, attemptCount, attempts, nextAttemptAt, reason } = delivery
  const { tone, word } = words[state]
  const last = attempts.at(-1)
  return (
    <tr {...row}>
      <th scope="row">
        <a href={toOpenHref(id)}>
          <code>{messageId.slice(messageId.indexOf('/') + 1).slice(0, 12)}…</code>
        </a>
      </th>
      <td data-label="State">
        <Badge tone={tone}>{word}</Badge>
        {state !== 'delivered' && reason !== null && <p class="help">{reason}</p>}
        {nextAttemptAt !== null && (
          <p class="help">
            Next attempt <Time atMs={Date.parse(nextAttemptAt)} nowMs={viewer.nowMs} />
          </p>
        )}
      </td>
      <td data-label={state === 'pending' ? 'Waiting since' : 'Queued'}>
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
