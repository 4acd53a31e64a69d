/**
 * What became of the entries of one lease.
 * In: how each delivery ended. Out: what is left, and at the end the settlement; what is remembered of the deliveries goes
 * to the recorder with it, so that nothing is shown as delivered that is still owed, and the store commits once for both.
 */
import type { Clock } from '../ports/clock.ts'
import type { Lease, LogEntry, Settlement } from '../ports/log.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import { type DeliveryAttempt, keptDeliveries, type RecentDelivery } from '../ports/recent-deliveries.ts'
import type { Attempted } from './attempt-delivery.ts'
import { type Delivery, fromLog, toDeliveryId } from './delivery.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import type { QueueFailures } from './queue-failures.ts'

/** An entry of the delivery log, and what it says. */
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
  /** The relay took the first one, or refused it. */
  finish(first: Owed, attempted: Attempted): void
  bury(first: Owed, reason: string, last?: DeliveryAttempt): void
  settle(): Settlement
}

export interface LeaseLedgerOptions {
  queueFailures: Pick<QueueFailures, 'known'>
  recorder: Pick<DeliveryRecorder, 'record'>
  clock: Clock
  meter: Meter
  logger: Logger
}

/** Of an entry that has ended: its place among those of the lease, without its text, which would outlive its time. */
interface Ended extends Pick<RecentDelivery, 'state' | 'endedAtMs' | 'attemptCount' | 'attempts' | 'reason'> {
  place: number
}

export function createLeaseLedger({ line, entries }: Lease, options: LeaseLedgerOptions): LeaseLedger {
  const { queueFailures, recorder, clock, meter, logger } = options
  const accepted: number[] = []
  const buried: { seq: number; reason: string }[] = []
  /** As many as are kept of a device. */
  const ended: Ended[] = []
  const owedAt = (index: number) => {
    const entry = entries[index]
    return entry && toOwed(entry)
  }

  function end(
    { seq }: Owed,
    state: RecentDelivery['state'],
    last: DeliveryAttempt | undefined,
    reason: string | null,
  ): void {
    const place = accepted.length + buried.length - 1
    const failures = queueFailures.known(line)
    const earlier = failures && [failures.head, failures.next].find((message) => message?.seq === seq)
    const tried = last ? [last] : []
    ended.push({
      place,
      state,
      endedAtMs: clock.now(),
      attemptCount: (earlier?.attemptCount ?? 0) + tried.length,
      attempts: earlier ? [...earlier.attempts, ...tried] : tried,
      reason,
    })
    if (ended.length > keptDeliveries) ended.shift()
  }

  function record({ place, ...ending }: Ended): void {
    const entry = entries[place]
    if (!entry) return
    const { seq, appendedAtMs, delivery } = toOwed(entry)
    recorder.record({
      ...ending,
      deviceUrn: line,
      id: toDeliveryId(seq),
      messageId: delivery.id,
      owedSinceMs: appendedAtMs,
      positions: delivery.positions,
      message: delivery.message,
      isTruncated: false,
    })
  }

  function bury(owed: Owed, reason: string, last?: DeliveryAttempt): void {
    const { seq } = owed
    buried.push({ seq, reason })
    meter.buried('delivery', 1)
    logger.warn({ device: line, seq, reason }, 'delivery buried')
    end(owed, 'buried', last, reason)
  }

  return {
    bury,
    first: () => owedAt(accepted.length + buried.length),
    next: () => owedAt(accepted.length + buried.length + 1),
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

function toOwed({ seq, appendedAtMs, body }: LogEntry): Owed {
  return { seq, appendedAtMs, delivery: fromLog(body) }
}
