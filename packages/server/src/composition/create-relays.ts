/**
 * The relays over the storage.
 * In: storage, devices and settings. Out: the operations on relays and deliveries, and what the workers share with
 * them.
 */
import type { ReadingBudget } from '../concurrency/reading-budget.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Origins } from '../http/operation/openapi-document.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import type { CourierOptions } from '../relays/courier/courier.ts'
import { createInFlight } from '../relays/courier/in-flight.ts'
import { createDeliveries } from '../relays/deliveries/deliveries.ts'
import { createDeliveryMetrics } from '../relays/deliveries/delivery-metrics.ts'
import { deliveryOperations } from '../relays/deliveries/delivery-operations.ts'
import { createDeliveryRecorder } from '../relays/deliveries/delivery-recorder.ts'
import { createDroppedDeliveries, type DroppedDeliveries } from '../relays/deliveries/dropped-deliveries.ts'
import { createQueueFailures } from '../relays/deliveries/queue-failures.ts'
import { relayOperations } from '../relays/operations.ts'
import { createRelayConnection, type RelayConnection } from '../relays/sender/relay-connection.ts'
import { createSendRelayMessage } from '../relays/sender/send-relay-message.ts'
import { createRelayLimits } from '../relays/update/relay-limits.ts'
import { createSetRelay } from '../relays/update/set-relay.ts'
import type { Settings } from '../settings/setting-table.ts'
import { toDeliveryBound } from './storage/storage-bounds.ts'
import type { Storage } from './storage/storage-ports.ts'

export interface Relays {
  operations: ReturnType<typeof relayOperations> & ReturnType<typeof deliveryOperations>
  connection: RelayConnection
  /** The parts that the courier shares with the operations. */
  courier: Pick<CourierOptions, 'send' | 'queueFailures' | 'inFlight' | 'recorder' | 'deliveryMetrics'>
  dropped: DroppedDeliveries
  /** Gives up what is on its way to the relay of the device. */
  endAttempts: ReturnType<typeof createInFlight>['abort']
  /** Resolves when what was recorded is stored. */
  stop(): Promise<void>
}

export interface RelaysOptions {
  storage: Pick<Storage, 'store' | 'deliveryLog' | 'recentDeliveries' | 'relayChanges'>
  settings: Settings
  origins: Origins
  /** PEM certificates that relay connections trust besides the system's CAs. */
  extraCa?: string | undefined
  /** Signs a relay message with the key of the identity provider. */
  sign(text: Buffer): Promise<Buffer>
  devices: DeviceRegistry
  budget: ReadingBudget
  clock: Clock
  meter: Meter
  logger: Logger
}

export function createRelays(options: RelaysOptions): Relays {
  const { storage, settings, origins, extraCa, sign, devices, budget, clock, meter, logger } = options
  const { store, deliveryLog, recentDeliveries, relayChanges } = storage
  const ownHosts = [origins.auth, origins.ingest, origins.ui].map((origin) => new URL(origin).hostname)
  const policy = { allowPrivate: settings.allowPrivateRelays, ports: settings.relayPorts, ownHosts }
  const connection = createRelayConnection({ policy, extraCa, logger })
  const send = createSendRelayMessage({ connection, clock, sign })

  const queueFailures = createQueueFailures({ store, retentionMs: settings.relayRetention })
  const recorder = createDeliveryRecorder({ recentDeliveries, logger })
  const findUrl = async (deviceUrn: string) => (await devices.find(deviceUrn))?.relay?.url
  const dropped = createDroppedDeliveries({ store, clock, findUrl, meter, logger })
  const inFlight = createInFlight({ devices, clock, changes: relayChanges })
  const deliveryMetrics = createDeliveryMetrics({ store, clock, logger, windowMs: settings.metricWindow })
  const limits = createRelayLimits({ clock })
  const setRelay = createSetRelay({ devices, deliveryLog, policy, send, limits, clock, endAttempts: inFlight.abort })
  const deliveries = createDeliveries({
    store,
    deliveryLog,
    recentDeliveries,
    queueFailures,
    recorder,
    dropped,
    send,
    clock,
    bound: toDeliveryBound(settings),
  })

  return {
    operations: {
      ...relayOperations({ devices, setRelay }),
      ...deliveryOperations({ devices, deliveries, deliveryMetrics, limits, budget, clock }),
    },
    connection,
    courier: { send, queueFailures, inFlight, recorder, deliveryMetrics },
    dropped,
    endAttempts: inFlight.abort,
    async stop() {
      await Promise.all([dropped.stop(), deliveryMetrics.stop(), recorder.idle()])
    },
  }
}
