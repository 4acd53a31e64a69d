/**
 * Describes the delivery of a report: its message ID, its device, the time of the attempt, its headers.
 * In: the request's headers. Out: the Standard Webhooks ID and time of the attempt, and the device that the ID names.
 * See the document, parameters WebhookId and WebhookTimestamp.
 */
import { readHeader } from './read-header.ts'

export interface Delivery {
  /** The same on every attempt of one message. Undefined if `webhook-id` is missing or longer than 2,048 characters. */
  id: string | undefined
  /** URN of the device whose report it is; undefined if the ID names none. The signature covers it. */
  device: string | undefined
  /** Time of this attempt by the sender's clock, in ms since the epoch. Undefined without `webhook-timestamp`. */
  attemptedAtMs: number | undefined
  /** True with `from`: the service signed the message. False with `acceptUnsigned`. */
  verified: boolean
  /** True when every position is older than one that this receiver already accepted from the same device. */
  outOfOrder: boolean
  /** Every header of the request, unchanged. */
  headers: Headers
  /**
   * Aborts when the receiver no longer waits for this call, after `onReportTimeoutMs`: the next attempt calls
   * `onReport` again.
   */
  signal: AbortSignal
}

export type Attempt = Pick<Delivery, 'id' | 'device' | 'attemptedAtMs' | 'headers'>

export function readAttempt(headers: Headers): Attempt {
  const given = readHeader(headers, 'webhook-id')
  const id = given && given.length <= maxIdLength ? given : undefined
  const timestamp = readHeader(headers, 'webhook-timestamp')
  return {
    id,
    device: id === undefined ? undefined : toDevice(id),
    attemptedAtMs: timestamp && /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : undefined,
    headers,
  }
}

/** Limits memory: the receiver remembers thousands of IDs, and any sender can choose a long one. */
const maxIdLength = 2_048

/**
 * An ID is the device's URN, a `/` and a hash. In the URN, all characters except letters, digits, `:` and `-` are
 * percent-encoded.
 */
function toDevice(id: string): string | undefined {
  const [, encoded] = /^((?:[A-Za-z0-9:-]|%[0-9A-F]{2})+)\/[^/]+$/.exec(id) ?? []
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    // Not UTF-8: the service does not send it.
    return undefined
  }
}
