/**
 * Deliveries as their user sees them.
 * In: an entry of the delivery log or a recent delivery, and what is known of its attempts. Out: a `DeliveryView`.
 */
import type { BuriedEntry, LogEntry } from '../../ports/storage/log.ts'
import type { RecentDelivery } from '../../ports/storage/recent-deliveries.ts'
import { fromLog, toDeliveryId, toSeq } from './delivery.ts'
import type { FailureRecord } from './queue-failures.ts'

export interface DeliveryView extends Omit<RecentDelivery, 'state' | 'endedAtMs'> {
  state: 'pending' | 'delivered' | 'buried'
  nextAttemptAtMs: number | null
}

export function pendingView(deviceUrn: string, entry: LogEntry, failures: FailureRecord | undefined): DeliveryView {
  const messageFailures = [failures?.head, failures?.next].find((message) => message?.seq === entry.seq)
  return {
    ...viewOf(deviceUrn, entry),
    state: 'pending',
    attemptCount: messageFailures?.attemptCount ?? 0,
    attempts: messageFailures?.attempts ?? [],
    reason: messageFailures?.attempts.at(-1)?.reason ?? null,
    nextAttemptAtMs: messageFailures && failures ? failures.nextAttemptAtMs : null,
  }
}

export function buriedView(entry: BuriedEntry, ended: RecentDelivery | undefined): DeliveryView {
  return {
    ...viewOf(entry.queue, entry),
    state: 'buried',
    attemptCount: ended?.attemptCount ?? 0,
    attempts: ended?.attempts ?? [],
    reason: entry.reason,
    nextAttemptAtMs: null,
  }
}

function viewOf(deviceUrn: string, { seq, appendedAtMs, body }: LogEntry) {
  const { id: messageId, positions, message } = fromLog(body)
  return {
    deviceUrn,
    id: toDeliveryId(seq),
    messageId,
    positions,
    appendedAtMs,
    message,
    isTruncated: false,
  }
}

export function endedView({ endedAtMs: _, ...delivery }: RecentDelivery): DeliveryView {
  return { ...delivery, nextAttemptAtMs: null }
}

/**
 * Adds the attempts from before the message was set aside and resent: a resend has the same message, and an ID of its
 * own.
 * @param history The latest first.
 */
export function withEarlier(view: DeliveryView, history: RecentDelivery[]): DeliveryView {
  const seq = toSeq(view.id)
  if (seq === undefined) return view
  const earlier = history.filter(
    ({ id, messageId, state }) => state === 'buried' && messageId === view.messageId && (toSeq(id) ?? seq) < seq,
  )
  return {
    ...view,
    attemptCount: earlier.reduce((sum, { attemptCount }) => sum + attemptCount, view.attemptCount),
    attempts: [...earlier.toReversed().flatMap(({ attempts }) => attempts), ...view.attempts],
  }
}
