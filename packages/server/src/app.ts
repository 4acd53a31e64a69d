/**
 * The composition: rooms over ports, behind the document.
 * In: storage, origins and settings. Out: an express app and the workers behind it; the one place that knows all rooms.
 */
import express, { type Express } from 'express'
import { deviceOperations } from './devices/operations.ts'
import { createDeviceRegistry, type DeviceRegistry } from './devices/registry.ts'
import { cors } from './http/cors.ts'
import { documentFor, type Origins } from './http/document.ts'
import { errorHandler } from './http/error-handler.ts'
import { guardRequest } from './http/guard.ts'
import type { Handlers } from './http/operation.ts'
import { requestLog } from './http/request-log.ts'
import { mountOperations } from './http/router.ts'
import { securityHeaders } from './http/security-headers.ts'
import { createIdentity } from './identity/identity.ts'
import { toOAuthError } from './identity/oauth-error.ts'
import { pairingOperations } from './pairing/operations.ts'
import { createPairingRequests } from './pairing/pairing-request.ts'
import type { Clock } from './ports/clock.ts'
import type { Logger } from './ports/logger.ts'
import { relayOperations } from './relays/operations.ts'
import { createRelayConnection } from './relays/relay-connection.ts'
import { createSendRelayMessage } from './relays/send-relay-message.ts'
import { reportOperations } from './reports/operations.ts'
import { createMetrics, type Metrics } from './service/metrics.ts'
import { serviceOperations } from './service/operations.ts'
import { createReadiness, type ReadinessState } from './service/readiness.ts'
import type { Settings } from './settings.ts'
import type { Storage } from './storage.ts'
import { startWorkers } from './workers.ts'

export interface AppOptions {
  settings: Pick<
    Settings,
    | 'trustProxy'
    | 'allowPrivateRelays'
    | 'metricsToken'
    | 'relayPorts'
    | 'relayRetention'
    | 'metricWindow'
    | 'recentLimit'
    | 'refreshGraceSeconds'
    | 'sensorIdPolicy'
    | 'allowLoopbackRedirects'
  >
  storage: Storage
  origins: Origins
  clock: Clock
  logger: Logger
  version: string
  /** Trusted by relay connections besides the system's authorities. */
  extraCa?: string | undefined
  validateResponses?: boolean
}

export interface App {
  express: Express
  devices: DeviceRegistry
  handlers: Handlers
  metrics: Metrics
  readiness: ReadinessState
  /** Starts the pipeline and the courier, and follows what is revoked elsewhere; returns the way to stop them. */
  startWorkers(): () => Promise<void>
}

export async function createApp(options: AppOptions): Promise<App> {
  const { settings, storage, origins, clock, logger, version, extraCa, validateResponses = false } = options
  const { store, directory, revocationFeed, reportLog, deliveryLog, recentReports } = storage
  const { metricWindow: metricWindowMs, recentLimit, sensorIdPolicy } = settings

  const metrics = createMetrics({ logs: { report: reportLog, delivery: deliveryLog } })
  const { meter } = metrics
  const readiness = createReadiness({ store })
  const document = documentFor(origins)
  const devices = createDeviceRegistry({ directory, clock })
  const identity = await createIdentity({
    store,
    directory,
    revocationFeed,
    devices,
    clock,
    origins,
    sensorIdPolicy,
    refreshGraceMs: settings.refreshGraceSeconds * 1_000,
    allowLoopbackRedirects: settings.allowLoopbackRedirects,
    audit: (event) => logger.info({ audit: event }, event.event),
    onError: (error) => logger.warn({ err: error }, 'revocations or keys could not be read'),
  })
  const pairingRequests = createPairingRequests({ store, clock })
  const policy = { allowPrivate: settings.allowPrivateRelays, ports: settings.relayPorts }
  const connection = createRelayConnection({ policy, extraCa })
  const send = createSendRelayMessage({
    connection,
    clock,
    sign: (text) => identity.signRelayMessage.sign(Buffer.from(text)).toString('base64'),
  })

  const handlers: Handlers = {
    ...identity.operations,
    ...deviceOperations({ devices, recentReports, clock, metricWindowMs, recentLimit }),
    ...pairingOperations({
      pairingRequests,
      devices,
      issueDeviceTokens: identity.issueDeviceTokens,
      sensorIdPolicy,
      clock,
    }),
    ...reportOperations({ reportLog, meter }),
    ...relayOperations({ devices, deliveryLog, policy, send, clock }),
    ...serviceOperations({ document, version, metrics, readiness, metricsToken: settings.metricsToken }),
  }

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('strict routing')
  app.enable('case sensitive routing')
  if (settings.trustProxy !== undefined) app.set('trust proxy', settings.trustProxy)
  app.use(requestLog({ logger, observe: metrics.request }))
  app.use(guardRequest)
  app.use(securityHeaders(origins))
  app.use(identity.pages)
  app.use(cors({ document, isAppOrigin: identity.isAppOrigin }))
  mountOperations(app, { document, handlers, verifyAccessToken: identity.verifyAccessToken, validateResponses })
  app.use(errorHandler({ logger, errorAnswers: { issueToken: toOAuthError, revokeToken: toOAuthError } }))

  return {
    express: app,
    devices,
    handlers,
    metrics,
    readiness,
    startWorkers() {
      const stopFollowing = identity.follow()
      const stopWorkers = startWorkers({ storage, settings, devices, connection, send, clock, meter, logger })
      return async () => {
        await stopWorkers()
        await stopFollowing()
      }
    },
  }
}
