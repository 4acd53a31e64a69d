/** A courier over memory whose relays answer what the test says: 200 unless told otherwise. */
import { onTestFinished } from 'vitest'
import { createMemoryDirectory } from '../../src/adapters/memory/directory.ts'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { createMemoryRecentDeliveries } from '../../src/adapters/memory/recent-deliveries.ts'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Relay } from '../../src/ports/storage/directory.ts'
import type { DeliveryLog } from '../../src/ports/storage/log.ts'
import { startCourier } from '../../src/relays/courier/courier.ts'
import { createInFlight } from '../../src/relays/courier/in-flight.ts'
import { deliveryOf, toLog } from '../../src/relays/deliveries/delivery.ts'
import { createDeliveryMetrics } from '../../src/relays/deliveries/delivery-metrics.ts'
import { createDeliveryRecorder } from '../../src/relays/deliveries/delivery-recorder.ts'
import { createQueueFailures } from '../../src/relays/deliveries/queue-failures.ts'
import type { RelayAnswer } from '../../src/relays/sender/exchange.ts'
import { RelayFailure } from '../../src/relays/sender/relay-failure.ts'
import type { SendRelayMessage } from '../../src/relays/sender/send-relay-message.ts'
import { aClient } from '../a-client.ts'
import { aPosition, aReport } from '../a-report.ts'
import { silentLogger } from '../a-server.ts'

const client = aClient()

export type Answer = number | Partial<RelayAnswer> | Error | Promise<number>

export interface Sent {
  url: string
  id: string
  /** The id of the report in the message. */
  report: string
  atMs: number
}

export const minuteMs = 60_000

export interface CourierUnderTestOptions {
  retentionMs?: number
  deviceCacheMs?: number
  /** Default: a log in memory. */
  openLog?: (clock: Clock) => DeliveryLog | Promise<DeliveryLog>
  /** Default: no network; the relays answer what the test says. */
  send?: SendRelayMessage
}

/** A courier whose relays answer what the test says: 200 unless told otherwise. */
export async function aCourier({
  retentionMs = 24 * 60 * minuteMs,
  deviceCacheMs = 250,
  openLog = (clock) => createMemoryLog({ clock }),
  send: sendToRelay,
}: CourierUnderTestOptions = {}) {
  const manual = createManualClock()
  let leaptMs = 0
  const clock = { ...manual, now: () => manual.now() + leaptMs }
  const startedAtMs = clock.now()
  const deliveryLog = await openLog(clock)
  const devices = createDeviceRegistry({ directory: createMemoryDirectory(), clock })
  const sent: Sent[] = []
  const counts: Record<string, number> = {}
  const relays = new Map<string, (message: Sent) => Answer>()

  async function setRelay(urn: string, state: Relay['state'], url = 'https://one.example/'): Promise<void> {
    const relay = { url, state, failureDescription: null, sinceMs: clock.now() }
    await devices.change(urn, (current) => ({ ...current, relay }))
    if (state === 'Active') await deliveryLog.wake(urn)
  }

  const urns: string[] = []
  for (const localId of ['roof1', 'roof2']) {
    const { id } = await devices.registerItself({ client, localId })
    urns.push(id)
    await setRelay(id, 'Active')
  }
  const [roof1 = '', roof2 = ''] = urns

  const store = createMemoryStore({ clock })
  const recentDeliveries = createMemoryRecentDeliveries()
  const inFlight = createInFlight({ devices, clock, deviceCacheMs })
  const recorder = createDeliveryRecorder({ recentDeliveries, logger: silentLogger })
  const options = {
    deliveryLog,
    devices,
    inFlight,
    recorder,
    deliveryMetrics: createDeliveryMetrics({ store, clock, logger: silentLogger, windowMs: 3_600_000 }),
    clock,
    retentionMs,
    logger: silentLogger,
    meter: {
      accepted() {},
      processed() {},
      buried: (log: string, entries: number) =>
        void (counts[`buried ${log}`] = (counts[`buried ${log}`] ?? 0) + entries),
      delivered: (outcome: string) => void (counts[outcome] = (counts[outcome] ?? 0) + 1),
      dropped() {},
    },
    // The longest wait of each backoff, so that times are known.
    random: () => 1,
  }
  const send: SendRelayMessage =
    sendToRelay ??
    (async ({ href: url }, { id, message }, signal) => {
      const report = JSON.parse(message).positionReport.positions[0].id
      const entry = { url, id, report, atMs: clock.now() - startedAtMs }
      sent.push(entry)
      const aborted = new Promise<Answer>((resolve) => {
        signal?.addEventListener('abort', () => resolve(new RelayFailure('unreachable')))
      })
      const answer = await Promise.race([relays.get(url)?.(entry) ?? 200, aborted])
      if (answer instanceof Error) throw answer
      const given = typeof answer === 'number' ? { status: answer } : answer
      return { status: 200, body: Buffer.alloc(0), retryAfter: undefined, ...given }
    })
  const queueFailures = () => createQueueFailures({ store, retentionMs })
  const start = () => startCourier({ ...options, send, queueFailures: queueFailures() })
  let courier = start()
  const stop = async () => {
    const stopped = courier.stop()
    await clock.advance(1_000)
    await stopped
  }
  onTestFinished(stop)

  return {
    clock,
    /** Like `clock.advance`, in steps of at most 5 minutes, the longest wait between attempts. For hours and days. */
    async pass(ms: number) {
      for (let leftMs = ms; leftMs > 0; leftMs -= 5 * minuteMs) {
        leaptMs += Math.min(leftMs, 5 * minuteMs) - 500
        await manual.advance(500)
      }
    },
    send,
    stop,
    /** Restarts the courier like a new process. */
    async restart() {
      await stop()
      courier = start()
    },
    startStopping: () => courier.stop(),
    inFlight,
    deliveryLog,
    recentDeliveries,
    queueFailures,
    recorder,
    devices,
    sent,
    counts,
    roof1,
    roof2,
    async addDevice(localId: string, accountId = client.accountId) {
      const owner =
        accountId === client.accountId ? client : { ...client, id: accountId, accountId, urnPart: accountId }
      return (await devices.registerItself({ client: owner, localId })).id
    },
    setRelay,
    /** Sets how a relay answers from now on. */
    answering: (answer: (message: Sent) => Answer, url = 'https://one.example/') => relays.set(url, answer),
    enqueue: (urn: string, ...ids: string[]) =>
      deliveryLog.append(
        ids.map((id) => {
          const report = aReport({ positions: [aPosition({ id })] })
          return {
            queue: urn,
            body: toLog(deliveryOf(urn, JSON.stringify(report), { positions: 1, identityText: id })),
          }
        }),
      ),
    reports: () => sent.map(({ report }) => report),
    relayOf: async (urn: string) => (await devices.find(urn))?.relay,
  }
}
