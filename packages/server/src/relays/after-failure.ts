/**
 * The head of a line failed once more: it rests, or what is behind it shows whether the relay is at fault.
 * In: the failed attempt. Out: how long the line rests; `undefined` when the head was set aside, and the line goes on.
 */
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, Relay } from '../ports/directory.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import type { Attempted } from './attempt-delivery.ts'
import { backoffMs, retryAfterMs } from './backoff.ts'
import type { LeaseLedger, Owed } from './lease-ledger.ts'
import { hasEnded } from './outcome.ts'
import { addFailure, type FailureRecord, isExhausted, type QueueFailures, withoutAnswers } from './queue-failures.ts'

export interface FailureOptions {
  queueFailures: QueueFailures
  clock: Clock
  meter: Meter
  logger: Logger
  /** Failing for so long makes the relay Failed. */
  retentionMs: number
  random(): number
  /** Makes the relay Failed. */
  fail(device: DeviceRecord, relay: Relay, reason: string): Promise<void>
}

export interface FailedAttempt {
  device: DeviceRecord
  relay: Relay
  entry: Owed
  /** The one behind it, if there is one. */
  next: Owed | undefined
  failed: Attempted
  ledger: LeaseLedger
  /** Whether there is time for another attempt. */
  mayStart(): boolean
  attempt(entry: Owed): Promise<Attempted | 'given up'>
}

export async function afterFailure(failure: FailedAttempt, options: FailureOptions): Promise<number | undefined> {
  const { device, relay, entry, next, failed, ledger } = failure
  const { queueFailures, clock, meter, logger, retentionMs, random, fail } = options
  const line = device.id
  meter.delivered('retry', 0)
  const failures = await noteFailure(relay, line, entry, failed.attempt, options)
  const reason = failed.attempt.reason ?? ''
  const retryAfter = failed.outcome.kind === 'retry' ? failed.outcome.retryAfter : undefined
  const restMs = retryAfterMs(retryAfter, clock.now()) ?? backoffMs(failures.inARow, random())
  const rest = async (known: FailureRecord): Promise<number> => {
    await queueFailures.write(line, { ...known, nextAttemptAtMs: clock.now() + restMs })
    logger.debug({ device: line, reason, waitMs: restMs }, 'delivery is tried again')
    return restMs
  }

  if (clock.now() - failures.firstFailedAtMs >= retentionMs) {
    await fail(device, relay, reason)
    return rest(failures)
  }
  if (!isExhausted(failures.head, clock.now())) return rest(failures)
  const tried = `${reason}, ${failures.head.answers} times`
  if (!next) {
    await queueFailures.write(line, failures)
    ledger.bury(entry, tried)
    return undefined
  }
  if (!failure.mayStart()) return rest(failures)
  const probe = await failure.attempt(next)
  if (probe === 'given up') return undefined
  if (hasEnded(probe.outcome)) {
    // The relay takes others: it was this message.
    await queueFailures.write(line, failures)
    ledger.bury(entry, `${tried}, and it took the next message`)
    ledger.finish(next, probe)
    queueFailures.forget(line)
    return undefined
  }
  meter.delivered('retry', 0)
  const behind = addFailure(failures.next, next.seq, probe.attempt)
  if (probe.outcome.kind === 'gone' || isExhausted(behind, clock.now())) {
    await fail(device, relay, probe.attempt.reason ?? reason)
  }
  return rest({ ...failures, next: behind })
}

/** What is known of the line after one more failure of its head; not written yet. */
export async function noteFailure(
  relay: Relay,
  line: string,
  entry: Owed,
  failed: DeliveryAttempt,
  { queueFailures, clock }: Pick<FailureOptions, 'queueFailures' | 'clock'>,
): Promise<FailureRecord> {
  const earlier = await queueFailures.read(line)
  const isSameHead = earlier?.head.seq === entry.seq
  const isSameRelay = isSameHead && earlier.url === relay.url && earlier.sinceMs === relay.sinceMs
  const head = isSameHead && !isSameRelay ? withoutAnswers(earlier.head) : earlier?.head
  return {
    url: relay.url,
    sinceMs: relay.sinceMs,
    head: addFailure(head, entry.seq, failed),
    next: isSameRelay ? earlier.next : null,
    inARow: isSameRelay ? earlier.inARow + 1 : 1,
    firstFailedAtMs: isSameRelay ? earlier.firstFailedAtMs : failed.startedAtMs,
    nextAttemptAtMs: clock.now(),
  }
}
