/**
 * What became of the entries of one lease.
 * In: how each delivery ended. Out: what is left, and at the end the settlement; what is remembered of the deliveries goes
 * to the recorder with it, so that nothing is shown as delivered that is still owed, and the store commits once for both.
 */
import type { Clock } from '../ports/clock.ts'
import type { Lease, LogEntry, Settlement } from '../ports/log.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import type { DeliveryAttempt, RecentDelivery } from '../ports/recent-deliveries.ts'
import type { Attempted } from './attempt-delivery.ts'
import { fromLog, toDeliveryId } from './delivery.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import type { FailuresOfLines } from './line-failures.ts'

export interface LeaseLedger {
  /** The first entry that has not ended, and the one behind it. */
  left(): [LogEntry | undefined, LogEntry | undefined]
  /** The relay took it, or refused it. */
  finish(entry: LogEntry, attempted: Attempted): Promise<void>
  bury(entry: LogEntry, reason: string, last?: DeliveryAttempt): Promise<void>
  settle(): Settlement
}

export interface LeaseLedgerOptions {
  failuresOfLines: Pick<FailuresOfLines, 'recall'>
  recorder: Pick<DeliveryRecorder, 'record'>
  clock: Clock
  meter: Meter
  logger: Logger
}

export function createLeaseLedger({ line, entries }: Lease, options: LeaseLedgerOptions): LeaseLedger {
  const { failuresOfLines, recorder, clock, meter, logger } = options
  const accepted: number[] = []
  const buried: { seq: number; reason: string }[] = []
  const ended: RecentDelivery[] = []
  let left = entries

  async function end(
    entry: LogEntry,
    state: RecentDelivery['state'],
    last: DeliveryAttempt | undefined,
    reason: string | null,
  ): Promise<void> {
    left = left.filter((other) => other !== entry)
    const failures = await failuresOfLines.recall(line)
    const earlier = [failures?.head, failures?.next].find((message) => message?.seq === entry.seq)
    const { id: messageId, positions, message } = fromLog(entry.body)
    ended.push({
      deviceUrn: line,
      id: toDeliveryId(entry.seq),
      messageId,
      state,
      owedSinceMs: entry.appendedAtMs,
      endedAtMs: clock.now(),
      positions,
      attemptCount: (earlier?.attemptCount ?? 0) + (last ? 1 : 0),
      attempts: [...(earlier?.attempts ?? []), ...(last ? [last] : [])],
      reason,
      message,
      isTruncated: false,
    })
  }

  async function bury(entry: LogEntry, reason: string, last?: DeliveryAttempt): Promise<void> {
    buried.push({ seq: entry.seq, reason })
    meter.buried('delivery', 1)
    logger.warn({ device: line, seq: entry.seq, reason }, 'delivery buried')
    await end(entry, 'buried', last, reason)
  }

  return {
    bury,
    left: () => [left[0], left[1]],
    async finish(entry, { outcome, attempt }) {
      const { positions } = fromLog(entry.body)
      if (outcome.kind === 'refused') {
        meter.delivered('refused', positions)
        await bury(entry, outcome.reason, attempt)
      } else {
        accepted.push(entry.seq)
        meter.delivered('accepted', positions)
        await end(entry, 'delivered', attempt, null)
      }
    },
    settle() {
      for (const delivery of ended) recorder.record(delivery)
      return { accepted, buried }
    },
  }
}
