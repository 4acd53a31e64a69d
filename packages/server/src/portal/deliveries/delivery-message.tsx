/**
 * One delivery in full: its message laid out, the headers, each attempt's time and answer, and a `curl` command that
 * sends it.
 */
import type { Delivery } from '@posrep/spec'
import { Live } from '../../pages/live.tsx'
import { Time } from '../../pages/time.tsx'

export interface DeliveryMessageProps {
  delivery: Delivery | undefined
  nowMs: number
}

/** A longer message is shown as it is: laying it out would take long. */
const maxLaidOut = 256 * 1024

/** Renders nothing when the message is no longer kept. */
export function DeliveryMessage({ delivery, nowMs }: DeliveryMessageProps) {
  if (delivery?.message === undefined) return null
  const url = delivery.attempts.at(-1)?.url
  return (
    <div class="part" id="message">
      <h3 id="message-heading">
        Message <code>{delivery.messageId}</code>
      </h3>
      <Live id="attempts" class="part">
        <Attempts delivery={delivery} nowMs={nowMs} />
      </Live>
      <p class="help">
        Headers: <code>content-type: application/json</code>, <code>webhook-id: {delivery.messageId}</code>, and
        <code> webhook-timestamp</code> and <code>webhook-signature</code>, which are made for each attempt.
      </p>
      {delivery.messageTruncated && <p class="help">Only the beginning of the message was kept.</p>}
      {/* A textarea can be scrolled by keyboard and copied. */}
      <textarea readOnly rows={16} spellcheck={false} aria-labelledby="message-heading">
        {layOut(delivery.message)}
      </textarea>
      <div class="buttons">
        <button type="button" data-copy={delivery.message} hidden>
          Copy message
        </button>
        {url !== undefined && (
          <button type="button" data-copy={toCurl(url, delivery)} hidden>
            Copy as curl
          </button>
        )}
      </div>
    </div>
  )
}

function Attempts({ delivery: { attempts, attemptCount }, nowMs }: { delivery: Delivery; nowMs: number }) {
  if (attempts.length === 0) return <p class="quiet">No attempt is recorded.</p>
  return (
    <>
      {attemptCount > attempts.length && (
        <p class="help">
          The last {attempts.length} of {attemptCount} attempts.
        </p>
      )}
      <ol class="attempts">
        {attempts.map(({ startedAt, durationMilliseconds, url, status, reason }) => (
          <li key={startedAt}>
            <Time atMs={Date.parse(startedAt)} nowMs={nowMs} />: {status ?? 'no answer'} after{' '}
            {Math.round(durationMilliseconds)} ms{reason !== null && `, ${reason}`} <span class="help">{url}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

function layOut(message: string): string {
  if (message.length > maxLaidOut) return message
  try {
    return JSON.stringify(JSON.parse(message), null, 2)
  } catch {
    // Only its beginning was kept.
    return message
  }
}

/**
 * Without a signature, which only this server can make: the receiver's check refuses it, and its parser can be tried.
 */
function toCurl(url: string, { message = '', messageId }: Delivery): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return `curl -i -X POST ${quote(url)} -H 'content-type: application/json' -H ${quote(`webhook-id: ${messageId}`)} -d ${quote(message)}`
}
