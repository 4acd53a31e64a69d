/**
 * Decides what happens after a relay did not accept the first message of a queue.
 * In: the failed attempt. Out: the message is retried later, or buried because the relay accepts other messages. A
 * relay that answers 410 or has failed for too long becomes Failed. See decision 28.
 */
import type { DeviceRegistry } from '../../devices/registry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Meter } from '../../ports/meter.ts'
import type { DeviceRecord, Relay } from '../../ports/storage/directory.ts'
import type { DeliveryMetrics } from '../deliveries/delivery-metrics.ts'
import { addFailure, type FailureRecord, isExhausted, type QueueFailures } from '../deliveries/queue-failures.ts'
import { type Attempted, attemptDelivery, wasAborted } from '../sender/attempt-delivery.ts'
import { hasEnded } from '../sender/outcome.ts'
import type { SendRelayMessage } from '../sender/send-relay-message.ts'
import { backoffMs, retryAfterMs } from './backoff.ts'
import type { LeaseLedger, PendingDelivery } from './lease-ledger.ts'

export interface AfterFailureOptions {
  devices: Pick<DeviceRegistry, 'change'>
  send: SendRelayMessage
  queueFailures: QueueFailures
  clock: Clock
  meter: Meter
  deliveryMetrics: Pick<DeliveryMetrics, 'record'>
  logger: Logger
  /** A relay that fails for this time becomes Failed. */
  retentionMs: number
  /** Returns a number from 0 to below 1. */
  random(): number
}

export interface FailedAttempt {
  ledger: LeaseLedger
  /** Whether there is time for another attempt. */
  mayStart(): boolean
  device: DeviceRecord
  relay: Relay
  entry: PendingDelivery
  attempted: Attempted
  signal: AbortSignal
}

/** Returns the time from which the queue may be leased again, or `undefined` if the courier continues with it now. */
export async function afterFailure(
  { ledger, mayStart, device, relay, entry, attempted: { outcome, attempt }, signal }: FailedAttempt,
  options: AfterFailureOptions,
): Promise<number | undefined> {
  const { send, queueFailures, clock, meter, deliveryMetrics, logger, retentionMs, random } = options
  const queue = device.id
  const reason = attempt.reason ?? ''
  const failures = await queueFailures.add(queue, relay, entry.seq, attempt)
  const retryAfter = outcome.kind === 'retry' ? outcome.retryAfter : undefined
  const cooldownMs = retryAfterMs(retryAfter, clock.now()) ?? backoffMs(failures.inARow, random())
  const retryLater = async (known: FailureRecord): Promise<number> => {
    const retryAtMs = clock.now() + cooldownMs
    await queueFailures.write(queue, { ...known, nextAttemptAtMs: retryAtMs })
    logger.debug({ device: queue, reason, waitMs: cooldownMs }, 'delivery failed; it will be retried')
    return retryAtMs
  }

  if (outcome.kind !== 'gone') meter.delivered('retry', 0)
  if (outcome.kind === 'gone' || clock.now() - failures.firstFailedAtMs >= retentionMs) {
    await failRelay(device, relay, reason, options)
    return retryLater(failures)
  }
  if (!isExhausted(failures.head, clock.now())) return retryLater(failures)

  // The message is exhausted. Try the next one: if the relay accepts it, this message was the cause, otherwise the
  // relay.
  const buryReason = `${reason}, ${failures.head.answers} times`
  const next = ledger.next()
  if (!next) {
    await queueFailures.write(queue, failures)
    ledger.bury(entry, buryReason)
    return undefined
  }
  if (!mayStart()) return retryLater(failures)
  const probe = await attemptDelivery({ send, clock }, relay.url, next.delivery, signal)
  if (wasAborted(probe, signal)) return undefined
  const { accountId } = device
  deliveryMetrics.record(probe, { deviceUrn: queue, accountId, appendedAtMs: next.appendedAtMs })
  if (hasEnded(probe.outcome)) {
    await queueFailures.write(queue, failures)
    ledger.bury(entry, `${buryReason}, and it took the next message`)
    ledger.finish(next, probe)
    queueFailures.forget(queue)
    return undefined
  }
  meter.delivered('retry', 0)
  const nextFailures = addFailure(failures.next, next.seq, probe.attempt)
  if (probe.outcome.kind === 'gone' || isExhausted(nextFailures, clock.now())) {
    await failRelay(device, relay, probe.attempt.reason ?? reason, options)
  }
  return retryLater({ ...failures, next: nextFailures })
}

/** Sets the relay to Failed, unless it has been updated. */
async function failRelay(
  { id }: DeviceRecord,
  { url }: Relay,
  reason: string,
  { devices, clock, logger }: AfterFailureOptions,
): Promise<void> {
  logger.warn({ device: id, reason }, 'relay failed')
  await devices.change(id, (current) =>
    current.relay?.state === 'Active' && current.relay.url === url
      ? { ...current, relay: { ...current.relay, state: 'Failed', failureDescription: reason, sinceMs: clock.now() } }
      : current,
  )
}
