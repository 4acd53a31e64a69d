/**
 * Delivers what is owed to relays: in order per device, at least once, no device waiting for another.
 * In: the delivery log. Out: POSTs, settled entries, and the relay's state where it fails for good.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, Relay } from '../ports/directory.ts'
import { type Follower, followLog, type HeldLease } from '../ports/follow-log.ts'
import type { DeliveryLog, LogEntry, Settlement } from '../ports/log.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import { type Attempted, attemptDelivery } from './attempt-delivery.ts'
import { backoffMs, retryAfterMs } from './backoff.ts'
import { fromLog, toDeliveryId } from './delivery.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import type { HostLoad } from './host-load.ts'
import { addFailure, type FailuresOfLines, isExhausted, type LineFailures, withoutAnswers } from './line-failures.ts'
import type { SendRelayMessage } from './send-relay-message.ts'
import type { UnderWay } from './under-way.ts'

export interface CourierOptions {
  deliveryLog: DeliveryLog
  devices: DeviceRegistry
  send: SendRelayMessage
  failuresOfLines: FailuresOfLines
  underWay: UnderWay
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
/** Devices served at the same time; those whose relay fails have half of the places at most. */
const lines = 256
const failingLines = 128
/** A relay that is not Active is woken when it becomes so; until then its deliveries are looked at for their age only. */
const inactiveRestMs = 60_000
/** How long a device waits whose relay's host has enough to do, on average. */
const crowdedRestMs = 1_000
/** What is under way at the end gets so long; then it is given up, to be sent again by the next process. */
const stopWithinMs = 1_000

/** How a step on one line ends: `undefined` lets it go on with the next entry. */
type StepEnd = { restMs: number } | 'leave' | undefined

export function startCourier(options: CourierOptions): Follower {
  const { deliveryLog, devices, send, failuresOfLines, underWay, hostLoad, recorder } = options
  const { clock, retentionMs, meter, logger, random = Math.random } = options
  const givingUp = new AbortController()
  let failing = 0

  async function fail(device: DeviceRecord, relay: Relay, reason: string): Promise<void> {
    logger.warn({ device: device.id, reason }, 'relay failed')
    await devices.change(device.id, (current) =>
      current.relay?.state === 'Active' && current.relay.url === relay.url
        ? { ...current, relay: { ...current.relay, state: 'Failed', failureDescription: reason, sinceMs: clock.now() } }
        : current,
    )
  }

  async function work({ line, entries, heldUntilMs }: HeldLease, stopping: AbortSignal): Promise<Settlement> {
    const accepted: number[] = []
    const buried: { seq: number; reason: string }[] = []
    const mayStart = () => !stopping.aborted && clock.now() <= heldUntilMs - attemptMs

    async function record(
      entry: LogEntry,
      state: 'delivered' | 'buried',
      last: DeliveryAttempt | undefined,
      reason: string | null,
    ): Promise<void> {
      const failures = await failuresOfLines.recall(line)
      const earlier = [failures?.head, failures?.next].find((message) => message?.seq === entry.seq)
      const { id: messageId, positions, message } = fromLog(entry.body)
      recorder.record({
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
      await record(entry, 'buried', last, reason)
    }

    /** The entry is done with, one way or the other. */
    async function finish(entry: LogEntry, { outcome, attempt }: Attempted): Promise<void> {
      const { positions } = fromLog(entry.body)
      if (outcome.kind === 'refused') {
        meter.delivered('refused', positions)
        await bury(entry, outcome.reason, attempt)
      } else {
        accepted.push(entry.seq)
        meter.delivered('accepted', positions)
        await record(entry, 'delivered', attempt, null)
      }
    }

    /** Attempts of one line count as one, so that a line is given up where it is. */
    async function attempt(relay: Relay, entry: LogEntry, signal: AbortSignal): Promise<Attempted | 'given up'> {
      const attempted = await attemptDelivery({ send, clock }, relay.url, fromLog(entry.body), signal)
      return attempted.outcome.kind !== 'accepted' && signal.aborted ? 'given up' : attempted
    }

    async function noteFailure(relay: Relay, entry: LogEntry, failed: DeliveryAttempt): Promise<LineFailures> {
      const earlier = await failuresOfLines.read(line)
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

    /** The head of the line failed once more: it rests, or what is behind it shows whether the relay is at fault. */
    async function afterFailure(
      device: DeviceRecord,
      relay: Relay,
      [entry, next]: [LogEntry, LogEntry | undefined],
      failed: Attempted,
      signal: AbortSignal,
    ): Promise<StepEnd> {
      meter.delivered('retry', 0)
      const failures = await noteFailure(relay, entry, failed.attempt)
      const reason = failed.attempt.reason ?? ''
      const retryAfter = failed.outcome.kind === 'retry' ? failed.outcome.retryAfter : undefined
      const restMs = retryAfterMs(retryAfter, clock.now()) ?? backoffMs(failures.inARow, random())
      const rest = async (known: LineFailures): Promise<StepEnd> => {
        await failuresOfLines.write(line, { ...known, nextAttemptAtMs: clock.now() + restMs })
        logger.debug({ device: line, reason, waitMs: restMs }, 'delivery is tried again')
        return { restMs }
      }

      if (clock.now() - failures.firstFailedAtMs >= retentionMs) await fail(device, relay, reason)
      else if (isExhausted(failures.head, clock.now())) {
        const tried = `${reason}, ${failures.head.answers} times`
        if (!next) {
          await failuresOfLines.write(line, failures)
          await bury(entry, tried)
          return undefined
        }
        if (!mayStart()) return rest(failures)
        const probe = await attempt(relay, next, signal)
        if (probe === 'given up') return undefined
        if (probe.outcome.kind === 'accepted' || probe.outcome.kind === 'refused') {
          // The relay takes others: it was this message.
          await failuresOfLines.write(line, failures)
          await bury(entry, `${tried}, and it took the next message`)
          await finish(next, probe)
          failuresOfLines.forget(line)
          return undefined
        }
        meter.delivered('retry', 0)
        const behind = addFailure(failures.next, next.seq, probe.attempt)
        if (probe.outcome.kind === 'gone' || isExhausted(behind, clock.now())) {
          await fail(device, relay, probe.attempt.reason ?? reason)
        }
        return rest({ ...failures, next: behind })
      }
      return rest(failures)
    }

    async function step(entry: LogEntry, next: LogEntry | undefined): Promise<StepEnd> {
      const announced = underWay.begin(line)
      const signal = AbortSignal.any([announced.signal, givingUp.signal])
      let endOnHost: (() => void) | undefined
      const isFailing = failuresOfLines.isFailing(line)
      if (isFailing) failing++
      try {
        // Read again for each message, so that nothing goes to an address that was changed meanwhile.
        const device = await devices.find(line)
        if (!mayStart()) return 'leave'
        if (!device) {
          await bury(entry, `No device "${line}" any more`)
          return undefined
        }
        const { relay } = device
        if (relay?.state !== 'Active') {
          if (clock.now() - entry.appendedAtMs < retentionMs) return { restMs: inactiveRestMs }
          await bury(entry, 'The relay was not Active within the retention time')
          return undefined
        }
        endOnHost = hostLoad.begin(new URL(relay.url).host)
        if (!endOnHost || (isFailing && failing > failingLines)) return { restMs: crowdedRestMs * (0.5 + random()) }
        const attempted = await attempt(relay, entry, signal)
        // Set anew, or stopping: the entry is as it was.
        if (attempted === 'given up') return givingUp.signal.aborted ? 'leave' : undefined
        switch (attempted.outcome.kind) {
          case 'accepted':
          case 'refused':
            await finish(entry, attempted)
            failuresOfLines.forget(line)
            return undefined
          case 'gone':
            await failuresOfLines.write(line, await noteFailure(relay, entry, attempted.attempt))
            await fail(device, relay, attempted.outcome.reason)
            return { restMs: inactiveRestMs }
          case 'retry':
            return await afterFailure(device, relay, [entry, next], attempted, signal)
        }
      } finally {
        endOnHost?.()
        announced.end()
        if (isFailing) failing--
      }
    }

    const isDone = ({ seq }: LogEntry) => accepted.includes(seq) || buried.some((entry) => entry.seq === seq)
    for (;;) {
      const [entry, next] = entries.filter((one) => !isDone(one))
      if (!entry) return { accepted, buried }
      const end = await step(entry, next)
      if (end === 'leave') return { accepted, buried }
      if (end) return { accepted, buried, holdUntilMs: clock.now() + end.restMs }
    }
  }

  const follower = followLog({
    log: deliveryLog,
    clock,
    lines,
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
      await recorder.idle()
    },
  }
}
