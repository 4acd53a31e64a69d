/**
 * How the entries of one lease ended.
 * In: the outcome of each delivery. Out: the entries that are left, and at the end the settlement. Ended deliveries go to
 * the recorder together with the settlement, so that no delivery is shown as delivered while it is still owed, and the
 * embedded database commits once for both.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Lease, LogEntry, Settlement } from '../../ports/log.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Meter } from '../../ports/meter.ts'
import { type DeliveryAttempt, keptDeliveries, type RecentDelivery } from '../../ports/recent-deliveries.ts'
import { type Delivery, fromLog, toDeliveryId } from '../deliveries/delivery.ts'
import type { DeliveryRecorder } from '../deliveries/delivery-recorder.ts'
import type { Attempted } from './attempt-delivery.ts'
import type { QueueFailures } from './queue-failures.ts'

/** An entry of the delivery log, parsed. */
export interface Owed {
  seq: number
  appendedAtMs: number
  delivery: Delivery
}

export interface LeaseLedger {
  /** The first one that has not ended. */
  first(): Owed | undefined
  /** The one after the first. */
  next(): Owed | undefined
  /** The relay accepted or refused the first one. */
  finish(first: Owed, attempted: Attempted): void
  bury(first: Owed, reason: string): void
  settle(): Settlement
}

export interface LeaseLedgerOptions {
  queueFailures: Pick<QueueFailures, 'known'>
  recorder: Pick<DeliveryRecorder, 'record'>
  clock: Clock
  meter: Meter
  logger: Logger
}

/** Without the message, which may be large. */
interface Ended extends Pick<RecentDelivery, 'state' | 'endedAtMs' | 'attemptCount' | 'attempts' | 'reason'> {
  /** In the lease. */
  index: number
}

export function createLeaseLedger({ line: queue, entries }: Lease, options: LeaseLedgerOptions): LeaseLedger {
  const { queueFailures, recorder, clock, meter, logger } = options
  const accepted: number[] = []
  const buried: { seq: number; reason: string }[] = []
  /** The latest ones: as many as are kept of a device. */
  const ended: Ended[] = []
  /** Of the first entry that has not ended. */
  let index = 0

  function end(
    { seq }: Owed,
    state: RecentDelivery['state'],
    last: DeliveryAttempt | undefined,
    reason: string | null,
  ): void {
    const failures = queueFailures.known(queue)
    const earlier = failures && [failures.head, failures.next].find((message) => message?.seq === seq)
    const tried = last ? [last] : []
    ended.push({
      index: index++,
      state,
      endedAtMs: clock.now(),
      attemptCount: (earlier?.attemptCount ?? 0) + tried.length,
      attempts: earlier ? [...earlier.attempts, ...tried] : tried,
      reason,
    })
    if (ended.length > keptDeliveries) ended.shift()
  }

  function bury(owed: Owed, reason: string, last?: DeliveryAttempt): void {
    const { seq } = owed
    buried.push({ seq, reason })
    meter.buried('delivery', 1)
    logger.warn({ device: queue, seq, reason }, 'delivery buried')
    end(owed, 'buried', last, reason)
  }

  function record({ index, ...ending }: Ended): void {
    const owed = toOwed(entries[index])
    if (!owed) return
    const { seq, appendedAtMs, delivery } = owed
    recorder.record({
      ...ending,
      deviceUrn: queue,
      id: toDeliveryId(seq),
      messageId: delivery.id,
      owedSinceMs: appendedAtMs,
      positions: delivery.positions,
      message: delivery.message,
      isTruncated: false,
    })
  }

  return {
    bury,
    first: () => toOwed(entries[index]),
    next: () => toOwed(entries[index + 1]),
    finish(owed, { outcome, attempt }) {
      const { positions } = owed.delivery
      if (outcome.kind === 'refused') {
        meter.delivered('refused', positions)
        bury(owed, outcome.reason, attempt)
      } else {
        accepted.push(owed.seq)
        meter.delivered('accepted', positions)
        end(owed, 'delivered', attempt, null)
      }
    },
    settle() {
      ended.forEach(record)
      return { accepted, buried }
    },
  }
}

function toOwed(entry: LogEntry | undefined): Owed | undefined {
  return entry && { seq: entry.seq, appendedAtMs: entry.appendedAtMs, delivery: fromLog(entry.body) }
}
