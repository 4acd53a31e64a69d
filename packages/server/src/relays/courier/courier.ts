/**
 * Delivers relay messages: in order per device, at least once, and no device waits for another.
 * In: the delivery log. Out: POSTs, settled entries, and relays that become Failed.
 */
import { type Follower, followLog, type HeldLease } from '../../logs/follow-log.ts'
import type { DeliveryLog, Settlement } from '../../ports/log.ts'
import type { DeliveryRecorder } from '../deliveries/delivery-recorder.ts'
import { type DeliverOptions, deliver, type LeasedQueue } from './deliver.ts'
import { createHostSlots } from './host-slots.ts'
import type { InFlight } from './in-flight.ts'
import { createLeaseLedger } from './lease-ledger.ts'

export interface CourierOptions extends Omit<DeliverOptions, 'hostSlots' | 'random'> {
  deliveryLog: DeliveryLog
  inFlight: InFlight
  recorder: DeliveryRecorder
  /** 0 to below 1. */
  random?: () => number
}

const leaseMs = 60_000
/** An attempt that could outlast its lease is not started: another process may have the queue by then. */
const attemptMs = 20_000
/** Entries of one device that are settled together, and that may be sent again after a crash. */
const entriesPerLease = 200
/** Queues that are worked on at the same time; those whose relay fails are at most half of them. */
const maxQueues = 256
const maxFailingQueues = 128
/** The average. */
const failingCooldownMs = 2_000
/** When the courier stops, attempts that take longer are aborted; the next process makes them again. */
const stopWithinMs = 1_000

export function startCourier(options: CourierOptions): Follower {
  const { deliveryLog, inFlight, recorder, queueFailures, clock, logger, random = Math.random } = options
  const hostSlots = createHostSlots({
    clock,
    random,
    // After a wake that failed, the queue is available again when its cooldown ends.
    wake: (device) => void deliveryLog.wake(device).catch(() => {}),
  })
  const deliverOptions = { ...options, hostSlots, random }
  /** Queues in work whose first message failed at its last attempt. */
  const failing = new Set<string>()

  async function work(lease: HeldLease, stopping: AbortSignal): Promise<Settlement> {
    const queue = lease.line
    const ledger = createLeaseLedger(lease, options)
    const destination = inFlight.begin(queue)
    const mayStart = () => !stopping.aborted && clock.now() <= lease.heldUntilMs - attemptMs
    try {
      if (!queueFailures.isKnown(queue)) await Promise.all([queueFailures.read(queue), destination.find()])
      const retryAtMs = await deliverAll({ queue, ledger, destination, mayStart })
      return { ...ledger.settle(), ...(retryAtMs !== undefined && { holdUntilMs: retryAtMs }) }
    } finally {
      destination.end()
      hostSlots.release(queue)
      failing.delete(queue)
    }
  }

  /** Returns when the queue may be leased again; `undefined`: at once. */
  async function deliverAll(leased: LeasedQueue): Promise<number | undefined> {
    const { queue, ledger, mayStart } = leased
    if (queueFailures.isFailing(queue)) {
      if (failing.size >= maxFailingQueues) return clock.now() + failingCooldownMs * (0.5 + random())
      failing.add(queue)
    }
    for (let entry = ledger.first(); entry && mayStart(); entry = ledger.first()) {
      const retryAtMs = await deliver(leased, entry, deliverOptions)
      if (retryAtMs !== undefined) return retryAtMs
    }
    return undefined
  }

  const follower = followLog({
    log: deliveryLog,
    clock,
    lines: maxQueues,
    entries: entriesPerLease,
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
