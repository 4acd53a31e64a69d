/**
 * Composes the rooms of the server over the storage.
 * In: storage, origins and settings. Out: the request handler and the background workers.
 */
import type { RequestListener } from 'node:http'
import { createReadingBudget } from '../concurrency/reading-budget.ts'
import { deviceOperations } from '../devices/operations.ts'
import { createDeviceRegistry, type DeviceRegistry } from '../devices/registry.ts'
import { createSensorRequests } from '../devices/sensor-requests.ts'
import { documentFor, type Origins } from '../http/operation/openapi-document.ts'
import type { Handlers } from '../http/operation/operation.ts'
import type { Audit } from '../identity/audit.ts'
import { createIdentityProvider } from '../identity/identity.ts'
import { signAsync } from '../identity/keys/sign-async.ts'
import { createConsumePairingToken } from '../pairing/consume-pairing-token.ts'
import { pairingOperations } from '../pairing/operations.ts'
import { createPairingRequests } from '../pairing/pairing-request.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { createInFlight } from '../relays/courier/in-flight.ts'
import { createDeliveries } from '../relays/deliveries/deliveries.ts'
import { deliveryOperations } from '../relays/deliveries/delivery-operations.ts'
import { createDeliveryRecorder } from '../relays/deliveries/delivery-recorder.ts'
import { createDroppedDeliveries } from '../relays/deliveries/dropped-deliveries.ts'
import { createQueueFailures } from '../relays/deliveries/queue-failures.ts'
import { relayOperations } from '../relays/operations.ts'
import { createRelayConnection } from '../relays/sender/relay-connection.ts'
import { createSendRelayMessage } from '../relays/sender/send-relay-message.ts'
import { createRelayLimits } from '../relays/update/relay-limits.ts'
import { createSetRelay } from '../relays/update/set-relay.ts'
import { createBackPressure } from '../reports/back-pressure.ts'
import { reportOperations } from '../reports/operations.ts'
import { createReportReaders } from '../reports/report-readers.ts'
import { summarise } from '../reports/report-summary.ts'
import { createMetrics, type Metrics } from '../service/metrics.ts'
import { serviceOperations } from '../service/operations.ts'
import { createReadiness, type ReadinessState } from '../service/readiness.ts'
import type { Settings } from '../settings/setting-table.ts'
import { type BoundSetting, toDeliveryBound, toRecentBound } from '../settings/storage-bounds.ts'
import { createRequestListener } from './request-listener.ts'
import type { Storage } from './storage.ts'
import { startWorkers } from './workers.ts'

export interface AppOptions {
  settings: Pick<
    Settings,
    | 'roles'
    | 'trustProxy'
    | 'allowPrivateRelays'
    | 'metricsToken'
    | 'relayPorts'
    | 'relayRetention'
    | 'metricWindow'
    | BoundSetting
    | 'ingestBacklog'
    | 'refreshGraceSeconds'
    | 'sensorIdPolicy'
    | 'ingestProfile'
    | 'allowLoopbackRedirects'
    | 'openRegistration'
    | 'pairingStrictSource'
    | 'redis'
  >
  storage: Storage
  origins: Origins
  clock: Clock
  logger: Logger
  version: string
  /** PEM certificates that relay connections trust besides the system's CAs. */
  extraCa?: string | undefined
  /** The integrator's stages; see `startServer`. */
  stages?: readonly Stage[] | undefined
  validateResponses?: boolean
  /** When false, Express handles every request: for tests that compare it with the fast path. Default true. */
  fastPath?: boolean
}

export interface App {
  /** Answers every request of a node:http server. */
  listener: RequestListener
  devices: DeviceRegistry
  handlers: Handlers
  metrics: Metrics
  readiness: ReadinessState
  /**
   * Starts the pipeline, the courier, and the reading of revocations by other processes. Returns a function that stops them.
   */
  startWorkers(): () => Promise<void>
}

export async function createApp(options: AppOptions): Promise<App> {
  const {
    settings,
    storage,
    origins,
    clock,
    logger,
    version,
    extraCa,
    stages,
    validateResponses = false,
    fastPath = true,
  } = options
  const { store, directory, revocationFeed, sharedCounts, reportLog, deliveryLog, recentReports, recentDeliveries } =
    storage
  const { metricWindow: metricWindowMs, sensorIdPolicy } = settings

  const metrics = createMetrics({ logs: { report: reportLog, delivery: deliveryLog }, clock })
  const { meter } = metrics
  storage.onCommit?.(metrics.commit)
  const readiness = createReadiness({ store })
  const document = documentFor(origins)
  const devices = createDeviceRegistry({ directory, clock })
  const audit: Audit = (event) => logger.info({ audit: event }, event.event)
  const identity = await createIdentityProvider({
    store,
    directory,
    revocationFeed,
    sharedCounts,
    devices,
    clock,
    origins,
    sensorIdPolicy,
    refreshGraceMs: settings.refreshGraceSeconds * 1_000,
    allowLoopbackRedirects: settings.allowLoopbackRedirects,
    audit,
    onError: (error) => logger.warn({ err: error }, 'could not read revocations or keys'),
  })
  const revokeTokens = (deviceUrn: string) => identity.revoke({ kind: 'device', deviceUrn })
  const pairingRequests = createPairingRequests({
    store,
    devices,
    clock,
    audit,
    isRevoked: identity.isRevoked,
    onSeveralSources: ({ deviceUrn, state, sources }) =>
      logger.warn({ deviceUrn, state, sources: sources.length }, 'several addresses ask for the tokens of one sensor'),
    strictSource: settings.pairingStrictSource ? { endTokens: revokeTokens } : undefined,
    onError: (error) => logger.warn({ err: error }, 'could not store which addresses asked for the tokens of a sensor'),
  })
  const consumePairingToken = createConsumePairingToken({
    pairingRequests,
    devices,
    issueDeviceTokens: identity.issueDeviceTokens,
    revokeTokens,
    sensorIdPolicy,
    clock,
    sharedCounts,
  })
  const ownHosts = [origins.auth, origins.ingest, origins.ui].map((origin) => new URL(origin).hostname)
  const policy = { allowPrivate: settings.allowPrivateRelays, ports: settings.relayPorts, ownHosts }
  const connection = createRelayConnection({ policy, extraCa })
  const sign = (text: Buffer) => signAsync(null, text, identity.getRelayMessageKey().key)
  const send = createSendRelayMessage({ connection, clock, sign })

  const queueFailures = createQueueFailures({ store, retentionMs: settings.relayRetention })
  const recorder = createDeliveryRecorder({ recentDeliveries, logger })
  const dropped = createDroppedDeliveries({ store, clock, meter, logger })
  const inFlight = createInFlight({ devices, clock, changes: storage.relayChanges })
  const courier = { send, queueFailures, inFlight, recorder }
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

  const budget = createReadingBudget()
  const handlers: Handlers = {
    ...identity.operations,
    ...deviceOperations({
      devices,
      recentReports,
      sensorRequests: createSensorRequests({
        directory,
        devices,
        clock,
        sensorIdPolicy,
        openRegistration: settings.openRegistration,
      }),
      revokeTokens,
      clock,
      metricWindowMs,
      recentBound: toRecentBound(settings),
      budget,
    }),
    ...pairingOperations({ pairingRequests, consumePairingToken, devices, clock }),
    ...reportOperations({
      append: createBackPressure({
        reportLog,
        clock,
        backlog: settings.ingestBacklog,
        bytesOfClient: settings.clientMib * 1024 * 1024,
      }).append,
      summarise,
      meter,
    }),
    ...relayOperations({ devices, setRelay }),
    ...deliveryOperations({ devices, deliveries, limits, budget }),
    ...serviceOperations({ document, version, metrics, readiness, metricsToken: settings.metricsToken }),
  }

  const reportReaders = createReportReaders({ logger, mends: settings.ingestProfile === 'compat' })
  const listener = await createRequestListener({
    settings,
    storage,
    document,
    origins,
    identity,
    handlers,
    readReport: reportReaders.read,
    metrics,
    clock,
    logger,
    validateResponses,
    fastPath,
  })

  return {
    listener,
    devices,
    handlers,
    metrics,
    readiness,
    startWorkers() {
      const stopFollowing = identity.follow()
      const stopWorkers = settings.roles.includes('worker')
        ? startWorkers({ storage, settings, devices, stages, connection, dropped, courier, clock, meter, logger })
        : () => connection.close()
      return async () => {
        await stopWorkers()
        await Promise.all([dropped.stop(), pairingRequests.idle(), recorder.idle()])
        await stopFollowing()
        await reportReaders.close()
      }
    },
  }
}
