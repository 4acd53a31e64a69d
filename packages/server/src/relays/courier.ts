/**
 * Delivers what is owed to relays: in order per device, at least once, no device waiting for another.
 * In: the delivery log. Out: POSTs, settled entries, and the relay's state where it fails for good.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, Relay } from '../ports/directory.ts'
import { type Follower, followLog, type HeldLease } from '../ports/follow-log.ts'
import type { DeliveryLog, Settlement } from '../ports/log.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import { afterFailure, type FailedAttempt, noteFailure } from './after-failure.ts'
import { attemptDelivery, wasAborted } from './attempt-delivery.ts'
import { type CalledLine, createCrowdedLines } from './crowded-lines.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import type { HostLoad } from './host-load.ts'
import type { InFlight } from './in-flight.ts'
import { createLeaseLedger, type Owed } from './lease-ledger.ts'
import { hasEnded } from './outcome.ts'
import type { QueueFailures } from './queue-failures.ts'
import type { SendRelayMessage } from './send-relay-message.ts'

export interface CourierOptions {
  deliveryLog: DeliveryLog
  devices: DeviceRegistry
  send: SendRelayMessage
  queueFailures: QueueFailures
  inFlight: InFlight
  hostLoad: HostLoad
  recorder: DeliveryRecorder
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
/** Of one device in a lease: settled together, and what a crash may send again. */
const entriesPerLease = 200
/** Devices served at the same time; those whose relay fails have half of the places at most. */
const lines = 256
const failingLines = 128
/** A relay that is not Active is woken when it becomes so; until then its deliveries are looked at for their age only. */
const inactiveRestMs = 60_000
/** How long a device of a failing relay waits, on average, where there are enough of them. */
const failingRestMs = 2_000
/** What is under way at the end gets so long; then it is given up, to be sent again by the next process. */
const stopWithinMs = 1_000

type Tried = Pick<FailedAttempt, 'device' | 'relay' | 'entry' | 'next' | 'failed'>

/** How a step on one line ends: `undefined` lets it go on with the next entry. */
type StepEnd = { restMs: number } | 'leave' | undefined

export function startCourier(options: CourierOptions): Follower {
  const { deliveryLog, devices, send, queueFailures, inFlight, hostLoad, recorder } = options
  const { clock, retentionMs, meter, logger, random = Math.random } = options
  let isGivingUp = false
  const crowded = createCrowdedLines({ clock, random })
  let failing = 0

  function giveUp(): void {
    isGivingUp = true
    inFlight.abortAll()
  }

  async function fail(device: DeviceRecord, relay: Relay, reason: string): Promise<void> {
    logger.warn({ device: device.id, reason }, 'relay failed')
    await devices.change(device.id, (current) =>
      current.relay?.state === 'Active' && current.relay.url === relay.url
        ? { ...current, relay: { ...current.relay, state: 'Failed', failureDescription: reason, sinceMs: clock.now() } }
        : current,
    )
  }

  function callNext(host: string): CalledLine | undefined {
    const called = crowded.call(host)
    // One that could not be woken comes by itself after its rest.
    if (called) void deliveryLog.wake(called.line).catch(() => {})
    return called
  }

  async function work(lease: HeldLease, stopping: AbortSignal): Promise<Settlement> {
    const { line, heldUntilMs } = lease
    const ledger = createLeaseLedger(lease, { queueFailures, recorder, clock, meter, logger })
    const destination = inFlight.begin(line)
    let host = ''
    let hadPlace = false
    let called: CalledLine | undefined
    const mayStart = () => !stopping.aborted && clock.now() <= heldUntilMs - attemptMs

    /** Attempts the first entry, and those behind it as long as they are taken. */
    async function step(first: Owed): Promise<StepEnd> {
      const { device, signal } = await destination.find()
      if (!mayStart()) return 'leave'
      if (!device) {
        ledger.bury(first, `No device "${line}" any more`)
        return undefined
      }
      const { relay } = device
      if (relay?.state !== 'Active') {
        if (clock.now() - first.appendedAtMs < retentionMs) return { restMs: inactiveRestMs }
        ledger.bury(first, 'The relay was not Active within the retention time')
        return undefined
      }
      host = new URL(relay.url).host
      let place = hostLoad.begin(host)
      const turn = place ? undefined : crowded.turn(line)
      if (turn) {
        await turn
        if (!mayStart()) return 'leave'
        place = hostLoad.begin(host)
      }
      if (!place) return { restMs: crowded.add(host, line) }
      if (!hadPlace) crowded.remove(host, line)
      hadPlace = true
      const isFailing = queueFailures.isFailing(line)
      if (isFailing) failing++
      try {
        if (isFailing && failing > failingLines) return { restMs: failingRestMs * (0.5 + random()) }
        // The last one of this lease: another device can get ready for the place.
        if (!ledger.next()) called ??= callNext(host)
        const attempted = await attemptDelivery({ send, clock }, relay.url, first.delivery, signal)
        // Set anew, or stopping: the entry is as it was.
        if (wasAborted(attempted, signal)) return isGivingUp ? 'leave' : undefined
        if (!hasEnded(attempted.outcome)) {
          const next = ledger.next()
          return await afterwards({ device, relay, entry: first, next, failed: attempted }, signal)
        }
        ledger.finish(first, attempted)
        if (queueFailures.isFailing(line)) queueFailures.forget(line)
        return undefined
      } finally {
        place.end()
        if (isFailing) failing--
      }
    }

    /** The relay did not take it. */
    async function afterwards(tried: Tried, signal: AbortSignal): Promise<StepEnd> {
      const { device, relay, entry, failed } = tried
      if (failed.outcome.kind === 'gone') {
        const failures = await noteFailure(relay, line, entry, failed.attempt, { queueFailures, clock })
        await queueFailures.write(line, failures)
        await fail(device, relay, failed.outcome.reason)
        return { restMs: inactiveRestMs }
      }
      const restMs = await afterFailure(
        {
          ...tried,
          ledger,
          mayStart,
          async attempt({ delivery }) {
            const attempted = await attemptDelivery({ send, clock }, relay.url, delivery, signal)
            return wasAborted(attempted, signal) ? 'given up' : attempted
          },
        },
        { queueFailures, clock, meter, logger, retentionMs, random, fail },
      )
      // Whoever mends a relay that fails may have done so by now.
      destination.forget()
      return restMs === undefined ? undefined : { restMs }
    }

    try {
      if (!queueFailures.isKnown(line)) await Promise.all([queueFailures.read(line), destination.find()])
      for (;;) {
        const entry = ledger.first()
        if (!entry) return ledger.settle()
        const end = await step(entry)
        if (end === 'leave') return ledger.settle()
        if (end) return { ...ledger.settle(), holdUntilMs: clock.now() + end.restMs }
      }
    } finally {
      destination.end()
      if (hadPlace) {
        called ??= callNext(host)
        // After a host hung most of its places are free: then two come for one that leaves.
        if (hostLoad.isHalfFree(host)) callNext(host)?.free()
      }
      called?.free()
    }
  }

  const follower = followLog({
    log: deliveryLog,
    clock,
    lines,
    entries: entriesPerLease,
    leaseMs,
    work,
    onError: (error) => logger.error({ err: error }, 'courier rests for a second'),
  })
  return {
    async stop() {
      const waiting = new AbortController()
      void clock.sleep(stopWithinMs, waiting.signal).then(() => !waiting.signal.aborted && giveUp())
      await follower.stop()
      waiting.abort()
      await recorder.idle()
    },
  }
}
