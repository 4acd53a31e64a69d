/**
 * Delivers what is owed to relays: in order per device, at least once, no device waiting for another.
 * In: the delivery log. Out: POSTs, settled entries, and the relay's state where it fails for good.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/directory.ts'
import { type Follower, followLog } from '../ports/follow-log.ts'
import type { DeliveryLog, Lease, Settlement } from '../ports/log.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import { backoffMs, retryAfterMs } from './backoff.ts'
import { type Delivery, fromLog } from './delivery.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'
import type { SendRelayMessage } from './send-relay-message.ts'

export interface CourierOptions {
  deliveryLog: DeliveryLog
  devices: DeviceRegistry
  send: SendRelayMessage
  clock: Clock
  /** Failing for so long makes the relay Failed. */
  retentionMs: number
  meter: Meter
  logger: Logger
  /** 0 to below 1. */
  random?: () => number
}

const leaseMs = 60_000
/** No attempt starts later than this in a lease, so that it ends before the lease does. */
const startUntilMs = 40_000
/** A relay that is not Active is woken when it becomes so; this is for the case that the wake-up was lost. */
const inactiveRestMs = 60_000

export function startCourier(options: CourierOptions): Follower {
  const { deliveryLog, devices, send, clock, retentionMs, meter, logger, random = Math.random } = options
  /** Failures in a row, by device. */
  const failures = new Map<string, number>()

  async function attempt(url: URL, delivery: Delivery): Promise<DeliveryOutcome> {
    try {
      return outcomeOf(await send(url, delivery))
    } catch (error) {
      return outcomeOfFailure(error)
    }
  }

  async function fail(device: DeviceRecord, reason: string): Promise<void> {
    logger.warn({ device: device.id, reason }, 'relay failed')
    await devices.change(device.id, (current) =>
      current.relay?.state === 'Active' && current.relay.url === device.relay?.url
        ? { ...current, relay: { ...current.relay, state: 'Failed', failureDescription: reason } }
        : current,
    )
  }

  async function work({ line, entries }: Lease): Promise<Settlement> {
    const startedAtMs = clock.now()
    const accepted: number[] = []
    const buried: { seq: number; reason: string }[] = []
    for (const { seq, appendedAtMs, body } of entries) {
      // Read again for each message, so that nothing goes to an address that was changed meanwhile.
      const device = await devices.find(line)
      if (!device)
        return {
          accepted,
          buried: entries.map((entry) => ({ seq: entry.seq, reason: `No device "${line}" any more` })),
        }
      if (device.relay?.state !== 'Active') return { accepted, buried, holdUntilMs: clock.now() + inactiveRestMs }
      if (clock.now() - startedAtMs > startUntilMs) return { accepted, buried }

      const delivery = fromLog(body)
      const outcome = await attempt(new URL(device.relay.url), delivery)
      switch (outcome.kind) {
        case 'accepted':
          accepted.push(seq)
          failures.delete(line)
          meter.delivered('accepted', delivery.positions)
          continue
        case 'refused':
          buried.push({ seq, reason: outcome.reason })
          meter.delivered('refused', delivery.positions)
          meter.buried('delivery', 1)
          logger.warn({ device: line, seq, reason: outcome.reason }, 'delivery refused')
          continue
        case 'gone':
          await fail(device, outcome.reason)
          return { accepted, buried, holdUntilMs: clock.now() + inactiveRestMs }
        case 'retry': {
          meter.delivered('retry', 0)
          if (clock.now() - appendedAtMs >= retentionMs) await fail(device, outcome.reason)
          const count = (failures.get(line) ?? 0) + 1
          failures.set(line, count)
          const waitMs = retryAfterMs(outcome.retryAfter, clock.now()) ?? backoffMs(count, random())
          logger.debug({ device: line, reason: outcome.reason, waitMs }, 'delivery is tried again')
          return { accepted, buried, holdUntilMs: clock.now() + waitMs }
        }
      }
    }
    return { accepted, buried }
  }

  return followLog({
    log: deliveryLog,
    clock,
    lines: 128,
    entries: 50,
    leaseMs,
    work,
    onError: (error) => logger.error({ err: error }, 'courier rests for a second'),
  })
}
