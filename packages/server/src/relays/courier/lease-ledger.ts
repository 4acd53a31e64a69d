/**
 * Tracks how the entries of one lease end.
 * In: the outcome of each delivery. Out: the remaining entries, and at the end the settlement. Ended deliveries are
 * recorded together with the settlement, so that no delivery is shown as delivered while it is still pending, and the
 * embedded database commits once for both.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Meter } from '../../ports/meter.ts'
import type { Lease, LogEntry, Settlement } from '../../ports/storage/log.ts'
import { type DeliveryAttempt, keptDeliveries, type RecentDelivery } from '../../ports/storage/recent-deliveries.ts'
import { type Delivery, fromLog, toDeliveryId } from '../deliveries/delivery.ts'
import type { DeliveryRecorder } from '../deliveries/delivery-recorder.ts'
import type { QueueFailures } from '../deliveries/queue-failures.ts'
import type { Attempted } from '../sender/attempt-delivery.ts'

/** An entry of the delivery log, parsed. */
export interface PendingDelivery {
  seq: number
  appendedAtMs: number
  delivery: Delivery
}

export interface LeaseLedger {
  /** The first entry that has not ended. */
  first(): PendingDelivery | undefined
  /** The entry after the first. */
  next(): PendingDelivery | undefined
  /** The relay accepted or refused the first entry. */
  finish(first: PendingDelivery, attempted: Attempted): void
  bury(first: PendingDelivery, reason: string): void
  settle(): Settlement
}

export interface LeaseLedgerOptions {
  queueFailures: Pick<QueueFailures, 'known'>
  recorder: Pick<DeliveryRecorder, 'record'>
  clock: Clock
  meter: Meter
  logger: Logger
}

/** Does not contain the message, which may be large. */
interface Ended extends Pick<RecentDelivery, 'state' | 'endedAtMs' | 'attemptCount' | 'attempts' | 'reason'> {
  /** Index in the lease. */
  index: number
}

export function createLeaseLedger({ queue, entries }: Lease, options: LeaseLedgerOptions): LeaseLedger {
  const { queueFailures, recorder, clock, meter, logger } = options
  const accepted: number[] = []
  const buried: { seq: number; reason: string }[] = []
  /** The latest ended deliveries. At most `keptDeliveries`, because the history of a device keeps no more. */
  const ended: Ended[] = []
  /** Index of the first entry that has not ended. */
  let index = 0

  function end(
    { seq }: PendingDelivery,
    state: RecentDelivery['state'],
    last: DeliveryAttempt | undefined,
    reason: string | null,
  ): void {
    const failures = queueFailures.known(queue)
    const earlier = failures && [failures.head, failures.next].find((message) => message?.seq === seq)
    const lastAttempts = last ? [last] : []
    ended.push({
      index: index++,
      state,
      endedAtMs: clock.now(),
      attemptCount: (earlier?.attemptCount ?? 0) + lastAttempts.length,
      attempts: earlier ? [...earlier.attempts, ...lastAttempts] : lastAttempts,
      reason,
    })
    if (ended.length > keptDeliveries) ended.shift()
  }

  function bury(pending: PendingDelivery, reason: string, last?: DeliveryAttempt): void {
    const { seq } = pending
    buried.push({ seq, reason })
    meter.buried('delivery', 1)
    logger.warn({ device: queue, seq, reason }, 'delivery buried')
    end(pending, 'buried', last, reason)
  }

  function record({ index, ...ending }: Ended): void {
    const pending = toPending(entries[index])
    if (!pending) return
    const { seq, appendedAtMs, delivery } = pending
    recorder.record({
      ...ending,
      deviceUrn: queue,
      id: toDeliveryId(seq),
      messageId: delivery.id,
      appendedAtMs,
      positions: delivery.positions,
      message: delivery.message,
      isTruncated: false,
    })
  }

  return {
    bury,
    first: () => toPending(entries[index]),
    next: () => toPending(entries[index + 1]),
    finish(pending, { outcome, attempt }) {
      const { positions } = pending.delivery
      if (outcome.kind === 'refused') {
        meter.delivered('refused', positions)
        bury(pending, outcome.reason, attempt)
      } else {
        accepted.push(pending.seq)
        meter.delivered('accepted', positions)
        end(pending, 'delivered', attempt, null)
      }
    },
    settle() {
      ended.forEach(record)
      return { accepted, buried }
    },
  }
}

function toPending(entry: LogEntry | undefined): PendingDelivery | undefined {
  return entry && { seq: entry.seq, appendedAtMs: entry.appendedAtMs, delivery: fromLog(entry.body) }
}
