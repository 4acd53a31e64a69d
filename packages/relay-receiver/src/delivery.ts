/**
 * What is known of a message besides its report.
 * In: the request's headers. Out: the Standard Webhooks ID and time of the attempt.
 * See the document, parameters WebhookId and WebhookTimestamp.
 */
export interface Delivery {
  /** The same on every attempt of one message; tells repetitions. Undefined if the sender sent no `webhook-id`, or one of over 256 characters. */
  id: string | undefined
  /** When this attempt was made, by the sender's clock, in ms since the epoch. Undefined without `webhook-timestamp`. */
  attemptedAtMs: number | undefined
  /** True when `verify` found a valid signature; false when the receiver has no `verify`. */
  verified: boolean
  /** True when every position is older than one that this receiver already took from the same `sensor.id`. */
  outOfOrder: boolean
  /** Every header, as it came. */
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

/** IDs are remembered by the thousand, and anyone can send a long one. */
const maxIdLength = 256
