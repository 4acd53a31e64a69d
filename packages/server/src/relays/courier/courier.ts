/**
 * Delivers relay messages at least once, in order per device. No device waits for another device.
 * In: the delivery log. Out: POSTs, settled entries, and relays that become Failed.
 */
import { type FollowedLease, type Follower, followLog } from '../../logs/follow-log.ts'
import type { DeliveryLog, Settlement } from '../../ports/storage/log.ts'
import type { DeliveryRecorder } from '../deliveries/delivery-recorder.ts'
import { createAttemptSlots, maxSize, maxSlots } from './attempt-slots.ts'
import { type DeliverOptions, deliver, type LeasedQueue } from './deliver.ts'
import type { InFlight } from './in-flight.ts'
import { createLeaseLedger } from './lease-ledger.ts'

export interface CourierOptions extends Omit<DeliverOptions, 'attemptSlots'> {
  deliveryLog: DeliveryLog
  inFlight: InFlight
  recorder: DeliveryRecorder
}

const leaseMs = 60_000
/**
 * An attempt starts only if this much of the lease is left: once the lease ends, another process may send the same
 * message.
 */
const attemptMs = 20_000
/** Entries of one device that are settled together. After a crash all of them may be sent again. */
const entriesPerLease = 200
/**
 * Queues that are leased at the same time, and the size of their messages. More than have a slot: a queue must be
 * leased before it is known whose it is, and without a slot it is returned at once.
 */
const maxQueues = maxSlots + 64
const maxLeasedSize = 2 * maxSize
/**
 * When the courier stops, attempts in flight get this much time. Then they are aborted, and the next process repeats
 * them.
 */
const stopWithinMs = 1_000

export function startCourier(options: CourierOptions): Follower {
  const { deliveryLog, inFlight, recorder, queueFailures, clock, logger, random } = options
  const attemptSlots = createAttemptSlots({
    clock,
    random,
    // If this fails, the queue can be leased when its cooldown ends.
    wake: (device) => void deliveryLog.wake(device).catch(() => {}),
  })
  const deliverOptions = { ...options, attemptSlots }

  async function work(lease: FollowedLease, stopping: AbortSignal): Promise<Settlement> {
    const queue = lease.queue
    const ledger = createLeaseLedger(lease, options)
    const destination = inFlight.begin(queue)
    const mayStart = () => !stopping.aborted && clock.now() <= lease.leasedUntilMs - attemptMs
    try {
      if (!queueFailures.isKnown(queue)) await Promise.all([queueFailures.read(queue), destination.find()])
      const retryAtMs = await deliverAll({ queue, size: lease.size, ledger, destination, mayStart })
      return { ...ledger.settle(), ...(retryAtMs !== undefined && { retryAtMs }) }
    } finally {
      destination.end()
      attemptSlots.release(queue)
    }
  }

  /** Returns the time from which the queue may be leased again; `undefined` means at once. */
  async function deliverAll(leased: LeasedQueue): Promise<number | undefined> {
    const { ledger, mayStart } = leased
    for (let entry = ledger.first(); entry && mayStart(); entry = ledger.first()) {
      const retryAtMs = await deliver(leased, entry, deliverOptions)
      if (retryAtMs !== undefined) return retryAtMs
    }
    return undefined
  }

  const follower = followLog({
    log: deliveryLog,
    clock,
    queues: maxQueues,
    entries: entriesPerLease,
    size: maxLeasedSize,
    leaseMs,
    work,
    onError: (error) => logger.error({ err: error }, 'delivery log failed; retrying in 1 s'),
  })
  return {
    async stop() {
      const stopped = new AbortController()
      void clock.sleep(stopWithinMs, stopped.signal).then(() => !stopped.signal.aborted && inFlight.abortAll())
      await follower.stop()
      stopped.abort()
      await recorder.idle()
    },
  }
}
