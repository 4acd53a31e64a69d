/**
 * Composes the server from its parts; the only module that imports all of them.
 * In: storage, origins and settings. Out: the request handler and the background workers.
 */
import type { RequestListener } from 'node:http'
import type { OperationId } from '@posrep/spec'
import express from 'express'
import proxyAddress from 'proxy-addr'
import { deviceOperations } from '../devices/operations.ts'
import { createDeviceRegistry, type DeviceRegistry } from '../devices/registry.ts'
import { createSensorRequests } from '../devices/sensor-requests.ts'
import { createAnswerError, errorHandler } from '../http/errors/error-handler.ts'
import { createFastPath } from '../http/fast-path.ts'
import { guardRequest } from '../http/guard.ts'
import { cors } from '../http/headers/cors.ts'
import { securityHeaders, securityHeadersOf } from '../http/headers/security-headers.ts'
import { documentFor, type Origins } from '../http/operation/openapi-document.ts'
import type { Handlers } from '../http/operation/operation.ts'
import { serveOperations } from '../http/operation/serve-operation.ts'
import { createWatchRequest, requestLog } from '../http/request-log.ts'
import { mountOperations } from '../http/router.ts'
import type { Audit } from '../identity/audit.ts'
import { createIdentityProvider } from '../identity/identity.ts'
import { signAsync } from '../identity/keys/sign-async.ts'
import { toOAuthError } from '../identity/oauth-error.ts'
import { createConsumePairingToken } from '../pairing/consume-pairing-token.ts'
import { pairingOperations } from '../pairing/operations.ts'
import { createPairingRequests } from '../pairing/pairing-request.ts'
import type { Stage } from '../pipeline/stage.ts'
import { createPortal } from '../portal/portal.ts'
import { registerPortalClient } from '../portal/visit/portal-client.ts'
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
import { mendReport } from '../reports/mend/mend-report.ts'
import { reportOperations } from '../reports/operations.ts'
import { createReportReaders } from '../reports/report-readers.ts'
import { summarise } from '../reports/report-summary.ts'
import { createMetrics, type Metrics } from '../service/metrics.ts'
import { serviceOperations } from '../service/operations.ts'
import { createReadiness, type ReadinessState } from '../service/readiness.ts'
import { handlersOf, type Role } from '../settings/roles.ts'
import type { Settings } from '../settings/setting-table.ts'
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
    | 'recentLimit'
    | 'ingestBacklog'
    | 'refreshGraceSeconds'
    | 'sensorIdPolicy'
    | 'ingestProfile'
    | 'allowLoopbackRedirects'
    | 'openRegistration'
    | 'pairingStrictSource'
    | 'relayBacklog'
    | 'redis'
  >
  storage: Storage
  origins: Origins
  clock: Clock
  logger: Logger
  version: string
  /** A CA that relay connections trust in addition to the system's CAs. */
  extraCa?: string | undefined
  /** The integrator's stages; see `startServer`. */
  stages?: readonly Stage[] | undefined
  validateResponses?: boolean
  /** When false, Express handles every request: for tests that compare it with the fast path. Default true. */
  fastPath?: boolean
}

/** The operations that most requests call; they have no parameters. */
const frequent = new Set<OperationId>(['submitPositionReport', 'issueToken'])

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
  const { metricWindow: metricWindowMs, recentLimit, sensorIdPolicy } = settings

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
    perQueue: settings.relayBacklog,
  })

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
      recentLimit,
    }),
    ...pairingOperations({ pairingRequests, consumePairingToken, devices, clock }),
    ...reportOperations({
      append: createBackPressure({ reportLog, clock, backlog: settings.ingestBacklog }).append,
      summarise,
      meter,
    }),
    ...relayOperations({ devices, setRelay }),
    ...deliveryOperations({ devices, deliveries, limits }),
    ...serviceOperations({ document, version, metrics, readiness, metricsToken: settings.metricsToken }),
  }

  const hasRole = (role: Role) => settings.roles.includes(role)
  const answered = handlersOf(settings.roles, handlers)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('strict routing')
  app.enable('case sensitive routing')
  if (settings.trustProxy !== undefined) app.set('trust proxy', settings.trustProxy)
  const watch = createWatchRequest({ logger, observe: metrics.request })
  const answerError = createAnswerError({
    logger,
    errorAnswers: { issueToken: toOAuthError, revokeToken: toOAuthError },
  })
  app.use(requestLog(watch))
  app.use(guardRequest)
  app.use(securityHeaders(origins))
  if (hasRole('identity')) app.use(identity.pages)
  const { verifyAccessToken, sealer } = identity
  if (hasRole('ui')) {
    await registerPortalClient(directory, origins.ui)
    app.use(createPortal({ store, directory, clock, sealer, handlers, verifyAccessToken, origins, ...identity.urls }))
  }
  app.use(cors({ document, isAppOrigin: identity.isAppOrigin }))
  const mends = settings.ingestProfile === 'compat'
  const mendBodies = mends ? { submitPositionReport: mendReport } : {}
  const reportReaders = createReportReaders({ logger, mends })
  const served = serveOperations({
    document,
    handlers: answered,
    verifyAccessToken,
    mendBodies,
    readElsewhere: { submitPositionReport: reportReaders.read },
    answerError,
    validateResponses,
  })
  mountOperations(app, served)
  app.use(errorHandler(answerError))
  const listener = createFastPath({
    operations: served.filter(({ operationId }) => frequent.has(operationId)),
    watch,
    answerError,
    headers: securityHeadersOf(origins),
    addressOf: (request) => proxyAddress(request, app.get('trust proxy fn')),
    otherwise: app,
  })

  return {
    listener: fastPath ? listener : app,
    devices,
    handlers,
    metrics,
    readiness,
    startWorkers() {
      const stopFollowing = identity.follow()
      const stopWorkers = hasRole('worker')
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
