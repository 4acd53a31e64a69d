/**
 * Describes the delivery of a report: its message ID, the time of the attempt, its headers.
 * In: the request's headers. Out: the Standard Webhooks ID and time of the attempt.
 * See the document, parameters WebhookId and WebhookTimestamp.
 */
export interface Delivery {
  /** The same on every attempt of one message. Undefined if `webhook-id` is missing or longer than 256 characters. */
  id: string | undefined
  /** Time of this attempt by the sender's clock, in ms since the epoch. Undefined without `webhook-timestamp`. */
  attemptedAtMs: number | undefined
  /** True when `verify` found a valid signature; false when the receiver has no `verify`. */
  verified: boolean
  /** True when every position is older than one that this receiver already accepted from the same `sensor.id`. */
  outOfOrder: boolean
  /** Every header of the request, unchanged. */
  headers: Headers
}

export function readAttempt(headers: Headers): Pick<Delivery, 'id' | 'attemptedAtMs' | 'headers'> {
  const id = headers.get('webhook-id')
  const timestamp = headers.get('webhook-timestamp')
  return {
    id: id && id.length <= maxIdLength ? id : undefined,
    attemptedAtMs: timestamp && /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : undefined,
    headers,
  }
}

/** Limits memory: the receiver remembers thousands of IDs, and any sender can choose a long one. */
const maxIdLength = 256
