/**
 * A relay message in the delivery log (specification, "Relay messages").
 * In: the device and its report. Out: the message, and the text of its log entry: one line with the message's id, its
 * number of positions and, if there is one, its trace; then the message.
 */
import { hash } from 'node:crypto'
import type { RelayMessage } from '../sender/send-relay-message.ts'
import { toWebhookId } from '../sender/webhook-id.ts'

export interface Delivery extends RelayMessage {
  /** The same for every attempt and every repetition of the same report, so that receivers can discard duplicates. */
  id: string
  /** The number of positions in the message. */
  positions: number
}

/** @param text The report as submitted; it is sent unchanged. */
export function deliveryOf(
  deviceUrn: string,
  text: string,
  { positions, identityText, trace }: { positions: number; identityText: string; trace?: string | undefined },
): Delivery {
  const id = toWebhookId(deviceUrn, hash('sha256', identityText, 'base64url'))
  return { id, positions, trace, message: `{"name":"position_report","version":"1.0","positionReport":${text}}` }
}

/** The id of a delivery in the API; it contains the seq in the delivery log. */
export function toDeliveryId(seq: number): string {
  return `dl_${seq}`
}

/** Returns undefined for a text that is not such an id. */
export function toSeq(deliveryId: string): number | undefined {
  const [, digits] = /^dl_(\d{1,15})$/.exec(deliveryId) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Longer than the first line of every log entry: an id of about 900 characters, a trace of about 570. */
export const headCharacters = 4_096

export function toLog({ id, positions, trace, message }: Delivery): string {
  const head = trace === undefined ? `${id} ${positions}` : `${id} ${positions} ${trace}`
  return `${head}\n${message}`
}

export function fromLog(body: string): Delivery {
  const end = body.indexOf('\n')
  const head = body.slice(0, end)
  const afterId = head.indexOf(' ')
  // The rest is a trace; its state may contain spaces.
  const afterCount = head.indexOf(' ', afterId + 1)
  const hasTrace = afterCount >= 0
  return {
    id: head.slice(0, afterId),
    positions: Number(head.slice(afterId + 1, hasTrace ? afterCount : end)),
    message: body.slice(end + 1),
    trace: hasTrace ? head.slice(afterCount + 1) : undefined,
  }
}
