/** What is owed to the relay, what was set aside, and what it has taken: with attempts, timing and body. */
import type { Delivery } from '@posrep/spec'
import { Moment } from '../../pages/moment.tsx'
import { Badge } from './badge.tsx'
import { FormToken, type Viewer } from './frame.tsx'
import { resendPath } from './paths.ts'

export interface DeliveriesProps {
  viewer: Viewer
  deviceId: string
  deliveries: Delivery[]
  pending: number
  buried: number
  /** The one that is shown with its message. */
  open: Delivery | undefined
}

/** Of each state, on a device's page. */
export const shownOfAState = 10

const words: Record<Delivery['state'], { tone: 'good' | 'busy' | 'bad'; word: string }> = {
  pending: { tone: 'busy', word: 'Waiting' },
  delivered: { tone: 'good', word: 'Delivered' },
  buried: { tone: 'bad', word: 'Set aside' },
}

export function Deliveries({ viewer, deviceId, deliveries, pending, buried, open }: DeliveriesProps) {
  return (
    <section class="panel part" aria-labelledby="deliveries-heading" id="deliveries" data-live>
      <h2 id="deliveries-heading">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p class="quiet">None yet. Each report that is forwarded to the relay appears here.</p>
      ) : (
        <>
          <p class="quiet">
            {pending} waiting, {buried} set aside. At most {shownOfAState} of each state are shown; the API lists the
            rest.
          </p>
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
                {deliveries.map((delivery) => (
                  <Row key={delivery.id} viewer={viewer} deviceId={deviceId} delivery={delivery} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {open?.message !== undefined && <Body delivery={open} message={open.message} />}
    </section>
  )
}

function Row({ viewer, deviceId, delivery }: { viewer: Viewer; deviceId: string; delivery: Delivery }) {
  const { id, messageId, state, owedSince, attemptCount, attempts, nextAttemptAt, reason } = delivery
  const { tone, word } = words[state]
  const last = attempts.at(-1)
  return (
    <tr>
      <th scope="row">
        <a href={`?delivery=${encodeURIComponent(id)}#message`}>
          <code>{messageId.slice(0, 16)}…</code>
        </a>
      </th>
      <td data-label="State">
        <Badge tone={tone}>{word}</Badge>
        {state !== 'delivered' && reason !== null && <p class="help">{reason}</p>}
        {nextAttemptAt !== null && <p class="help">{toNext(Date.parse(nextAttemptAt) - viewer.nowMs)}</p>}
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
            <button type="submit">Resend</button>
          </form>
        )}
      </td>
    </tr>
  )
}

function toNext(inMs: number): string {
  return inMs <= 0 ? 'Tried again now' : `Tried again in ${Math.ceil(inMs / 1_000)} s`
}

function Body({ delivery, message }: { delivery: Delivery; message: string }) {
  return (
    <div class="part" id="message">
      <h3 id="message-heading">
        Message <code>{delivery.messageId}</code>
      </h3>
      {delivery.messageTruncated && <p class="help">Only the beginning of it was kept.</p>}
      {/* To be read, scrolled by keyboard and copied. */}
      <textarea readOnly rows={10} spellcheck={false} aria-labelledby="message-heading">
        {message}
      </textarea>
    </div>
  )
}
