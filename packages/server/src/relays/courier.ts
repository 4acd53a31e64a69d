/**
 * Delivers what is owed to relays: in order per device, at least once, no device waiting for another.
 * In: the delivery log. Out: POSTs, settled entries, and the relay's state where it fails for good.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/directory.ts'
import { type Follower, followLog, type HeldLease } from '../ports/follow-log.ts'
import type { DeliveryLog, Settlement } from '../ports/log.ts'
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
/** What an attempt gets of the lease: one that could end after it is not started. */
const attemptMs = 20_000
/** A relay that is not Active is woken when it becomes so; until then its deliveries are looked at for their age only. */
const inactiveRestMs = 60_000
/** What is under way at the end gets so long; then it is given up, to be sent again by the next process. */
const stopWithinMs = 1_000

interface Failures {
  url: string
  /** In a row. */
  count: number
}

export function startCourier(options: CourierOptions): Follower {
  const { deliveryLog, devices, send, clock, retentionMs, meter, logger, random = Math.random } = options
  const failures = new Map<string, Failures>()
  const givingUp = new AbortController()

  async function attempt(url: string, delivery: Delivery): Promise<DeliveryOutcome> {
    try {
      return outcomeOf(await send(new URL(url), delivery, givingUp.signal))
    } catch (error) {
      return outcomeOfFailure(error)
    }
  }

  async function fail(device: DeviceRecord, reason: string): Promise<void> {
    logger.warn({ device: device.id, reason }, 'relay failed')
    await devices.change(device.id, (current) =>
      current.relay?.state === 'Active' && current.relay.url === device.relay?.url
        ? { ...current, relay: { ...current.relay, state: 'Failed', failureDescription: reason, sinceMs: clock.now() } }
        : current,
    )
  }

  function waitMsAfter(line: string, url: string, retryAfter: string | undefined): number {
    const earlier = failures.get(line)
    const count = earlier?.url === url ? earlier.count + 1 : 1
    failures.set(line, { url, count })
    return retryAfterMs(retryAfter, clock.now()) ?? backoffMs(count, random())
  }

  async function work({ line, entries, heldUntilMs }: HeldLease, stopping: AbortSignal): Promise<Settlement> {
    const accepted: number[] = []
    const buried: { seq: number; reason: string }[] = []
    const bury = (seq: number, reason: string) => {
      buried.push({ seq, reason })
      meter.buried('delivery', 1)
      logger.warn({ device: line, seq, reason }, 'delivery buried')
    }
    const restFor = (ms: number): Settlement => ({ accepted, buried, holdUntilMs: clock.now() + ms })

    for (const { seq, appendedAtMs, body } of entries) {
      // Read again for each message, so that nothing goes to an address that was changed meanwhile.
      const device = await devices.find(line)
      if (stopping.aborted || clock.now() > heldUntilMs - attemptMs) break
      if (!device) {
        bury(seq, `No device "${line}" any more`)
        continue
      }
      if (device.relay?.state !== 'Active') {
        if (clock.now() - appendedAtMs < retentionMs) return restFor(inactiveRestMs)
        bury(seq, 'The relay was not Active within the retention time')
        continue
      }
      const { url, sinceMs } = device.relay
      const delivery = fromLog(body)
      const outcome = await attempt(url, delivery)
      if (outcome.kind !== 'accepted' && givingUp.signal.aborted) break
      switch (outcome.kind) {
        case 'accepted':
          accepted.push(seq)
          failures.delete(line)
          meter.delivered('accepted', delivery.positions)
          continue
        case 'refused':
          meter.delivered('refused', delivery.positions)
          bury(seq, outcome.reason)
          continue
        case 'gone':
          await fail(device, outcome.reason)
          return restFor(inactiveRestMs)
        case 'retry': {
          meter.delivered('retry', 0)
          if (clock.now() - Math.max(appendedAtMs, sinceMs) >= retentionMs) await fail(device, outcome.reason)
          const waitMs = waitMsAfter(line, url, outcome.retryAfter)
          logger.debug({ device: line, reason: outcome.reason, waitMs }, 'delivery is tried again')
          return restFor(waitMs)
        }
      }
    }
    return { accepted, buried }
  }

  const follower = followLog({
    log: deliveryLog,
    clock,
    lines: 128,
    entries: 50,
    leaseMs,
    work,
    onError: (error) => logger.error({ err: error }, 'courier rests for a second'),
  })
  return {
    async stop() {
      const waiting = new AbortController()
      void clock.sleep(stopWithinMs, waiting.signal).then(() => givingUp.abort())
      await follower.stop()
      waiting.abort()
    },
  }
}
