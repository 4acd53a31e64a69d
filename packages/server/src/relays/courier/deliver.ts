/**
 * Delivers the first message of a queue.
 * In: a queue that this process has leased, and its first entry. Out: the entry is finished, or stays first in its
 * queue.
 */
import type { DeviceRegistry } from '../../devices/registry.ts'
import type { Clock } from '../../ports/clock.ts'
import { attemptDelivery, wasAborted } from '../sender/attempt-delivery.ts'
import { type AfterFailureOptions, afterFailure } from './after-failure.ts'
import type { AttemptSlots } from './attempt-slots.ts'
import type { DeviceInFlight } from './in-flight.ts'
import type { LeaseLedger, PendingDelivery } from './lease-ledger.ts'

export interface LeasedQueue {
  /** The device's URN. */
  queue: string
  /** The length of the leased messages together. */
  size: number
  ledger: LeaseLedger
  destination: DeviceInFlight
  /** Whether the lease lasts long enough for another attempt. Once false, it stays false. */
  mayStart(): boolean
}

export interface DeliverOptions extends AfterFailureOptions {
  devices: Pick<DeviceRegistry, 'change' | 'isOfFormerOwner'>
  attemptSlots: AttemptSlots
  clock: Clock
}

/**
 * While a relay is not Active, its queue is leased at this interval, to bury messages that are older than the retention
 * time.
 */
const inactiveCooldownMs = 60_000

/** Returns the time from which the queue may be leased again, or `undefined` if the courier continues with it now. */
export async function deliver(
  leased: LeasedQueue,
  entry: PendingDelivery,
  options: DeliverOptions,
): Promise<number | undefined> {
  const { queue, size, ledger, destination, mayStart } = leased
  const { devices, send, attemptSlots, queueFailures, deliveryMetrics, clock, retentionMs } = options

  const { device, signal } = await destination.find()
  if (!mayStart()) return undefined
  if (!device) {
    ledger.bury(entry, `The device "${queue}" does not exist any more`)
    return undefined
  }

  if (entry.appendedAtMs < device.createdAtMs && (await devices.isOfFormerOwner(device, entry.appendedAtMs))) {
    ledger.bury(entry, 'It was for the relay of another account, whose device had this URN before')
    return undefined
  }

  const { accountId, relay } = device
  if (relay?.state !== 'Active') {
    if (clock.now() - entry.appendedAtMs < retentionMs) return clock.now() + inactiveCooldownMs
    ledger.bury(entry, 'The relay was not Active within the retention time')
    return undefined
  }

  const { host } = new URL(relay.url)
  const isFailing = queueFailures.isFailing(queue)
  const acquired = attemptSlots.acquire({ accountId, host, device: queue, isFailing, size })
  if (acquired.kind === 'full') return acquired.retryAtMs

  const attempted = await attemptDelivery({ send, clock }, relay.url, entry.delivery, signal)
  attemptSlots.pause(queue)
  if (wasAborted(attempted, signal)) return undefined
  deliveryMetrics.record(attempted, { deviceUrn: queue, accountId, appendedAtMs: entry.appendedAtMs })

  switch (attempted.outcome.kind) {
    case 'accepted':
    case 'refused':
      ledger.finish(entry, attempted)
      queueFailures.forget(queue)
      return undefined
    case 'retry':
    case 'gone':
      return afterFailure({ ledger, mayStart, device, relay, entry, attempted, signal }, options)
  }
}
