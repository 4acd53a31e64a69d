/**
 * A relay message on its way (specification, "Relay messages").
 * In: the device and its report. Out: the log's text for it: one line with the message's id, its count of positions and,
 * where it has one, its trace; then the message.
 */
import { hash } from 'node:crypto'
import type { PositionData, PositionReport } from '@posrep/spec'
import type { RelayMessage } from './send-relay-message.ts'

export interface Delivery extends RelayMessage {
  /** The same for every attempt and for every repetition of the same report: receivers know it again by this. */
  id: string
  /** How many positions the message carries. */
  positions: number
}

/** @param text The report as it was submitted; it goes out unchanged. */
export function toDelivery(deviceUrn: string, text: string, report: PositionReport): string {
  const { positions } = report
  return toNamedDelivery(deviceUrn, text, { positions: positions.length, names: namesOf(positions) })
}

/** The same, for who does not have the report but the count and the `namesOf` its positions. */
export function toNamedDelivery(
  deviceUrn: string,
  text: string,
  { positions, names, trace }: { positions: number; names: string; trace?: string | undefined },
): string {
  const id = hash('sha256', `${deviceUrn}${names}`, 'base64url')
  const head = trace === undefined ? `msg_${id} ${positions}` : `msg_${id} ${positions} ${trace}`
  return `${head}\n{"name":"position_report","version":"1.0","positionReport":${text}}`
}

/** What makes a report another one: ids and times of its positions, in their order. */
export function namesOf(positions: readonly PositionData[]): string {
  const names = ['']
  for (const { id, sourceTimeStamp } of positions) names.push(id, sourceTimeStamp)
  return names.join('\n')
}

/** What a delivery is called outside, by its place in the delivery log. */
export function toDeliveryId(seq: number): string {
  return `dl_${seq}`
}

/** `undefined` for what names no place in the log. */
export function toSeq(deliveryId: string): number | undefined {
  const [, digits] = /^dl_(\d{1,15})$/.exec(deliveryId) ?? []
  return digits === undefined ? undefined : Number(digits)
}

export function fromLog(body: string): Delivery {
  const end = body.indexOf('\n')
  const head = body.slice(0, end)
  const afterId = head.indexOf(' ')
  // What follows it is a trace, whose state may have spaces, too.
  const afterCount = head.indexOf(' ', afterId + 1)
  const hasTrace = afterCount >= 0
  return {
    id: head.slice(0, afterId),
    positions: Number(head.slice(afterId + 1, hasTrace ? afterCount : end)),
    message: body.slice(end + 1),
    trace: hasTrace ? head.slice(afterCount + 1) : undefined,
  }
}
