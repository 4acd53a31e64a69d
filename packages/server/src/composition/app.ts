/**
 * Composes the rooms of the server over the storage.
 * In: storage, origins and settings. Out: the request handler and the background workers.
 */
import type { RequestListener } from 'node:http'
import type { AirAreas } from '../air/areas.ts'
import type { CotCertificates } from '../air/cot/cot-connection.ts'
import { startCotOutputs } from '../air/cot/cot-outputs.ts'
import { createRemovedSensors } from '../air/log/removed-sensors.ts'
import { airOperations } from '../air/operations.ts'
import type { AirPictures } from '../air/picture.ts'
import { createReadingBudget } from '../concurrency/reading-budget.ts'
import { createDeviceHistories } from '../devices/device-history.ts'
import { deviceOperations } from '../devices/operations.ts'
import { createDeviceRegistry, type DeviceRegistry } from '../devices/registry.ts'
import { createSensorRequests } from '../devices/sensor-requests.ts'
import { documentFor, type Origins } from '../http/operation/openapi-document.ts'
import type { Handlers } from '../http/operation/operation.ts'
import type { Audit } from '../identity/audit.ts'
import { createIdentityProvider } from '../identity/identity.ts'
import { signAsync } from '../identity/keys/sign-async.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { memoryRoom } from '../ports/memory-room.ts'
import { createBackPressure } from '../reports/back-pressure.ts'
import { reportOperations } from '../reports/operations.ts'
import { createReportReaders } from '../reports/report-readers.ts'
import { summarise } from '../reports/report-summary.ts'
import { createMetrics, type Metrics } from '../service/metrics.ts'
import { serviceOperations } from '../service/operations.ts'
import { createReadiness, type ReadinessState } from '../service/readiness.ts'
import type { Settings } from '../settings/setting-table.ts'
import { createAir } from './create-air.ts'
import { createPairing } from './create-pairing.ts'
import { createRelays } from './create-relays.ts'
import { recordAuditEvent, recordRefusedReport } from './history-events.ts'
import { createRequestListener } from './listening/request-listener.ts'
import { readOwnMap } from './own-map.ts'
import { type BoundSetting, toBytesOfClient, toRecentWindow } from './storage/storage-bounds.ts'
import type { Storage } from './storage/storage-ports.ts'
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
    | 'selfRegisteredAccounts'
    | 'pairingStrictSource'
    | 'redis'
    | 'air'
    | 'airTargets'
    | 'airSeparation'
    | 'airCot'
    | 'airTiles'
    | 'airBasemap'
    | 'airNotice'
  >
  storage: Storage
  origins: Origins
  clock: Clock
  logger: Logger
  version: string
  /** The path of the development CA, for commands that pages show. Default: none. */
  caFile?: string | undefined
  /** PEM certificates that relay connections trust besides the system's CAs. */
  extraCa?: string | undefined
  /** The integrator's stages; see `startServer`. */
  stages?: readonly Stage[] | undefined
  /** Replaces the air picture of the settings: for tests. */
  air?: { pictures: AirPictures; areas: AirAreas } | undefined
  /** See `startServer`; it has been checked. */
  terrain?: URL | undefined
  /** Default: none, and the public authorities. */
  cotCertificates?: CotCertificates
  validateResponses?: boolean
  /** When false, Express handles every request: for tests that compare it with the fast path. Default true. */
  fastPath?: boolean
}

export interface App {
  /** Answers every request of a node:http server. */
  listener: RequestListener
  devices: DeviceRegistry
  audit: Audit
  handlers: Handlers
  metrics: Metrics
  readiness: ReadinessState
  /** Ends the answers that would go on: streams of the air picture. Further ones are refused. */
  endStreams(): void
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
    caFile,
    extraCa,
    stages,
    air: givenAir,
    terrain,
    cotCertificates = {},
    validateResponses = false,
    fastPath = true,
  } = options
  const { store, directory, revocationFeed, sharedCounts, reportLog, deliveryLog, recentReports } = storage
  const { metricWindow: metricWindowMs, sensorIdPolicy } = settings

  const isAirOn = settings.air === 'on'
  const logs = { report: reportLog, delivery: deliveryLog, ...(isAirOn && { air: storage.airLog }) }
  const metrics = createMetrics({ logs, clock })
  const { meter } = metrics
  storage.onCommit?.(metrics.commit)
  const readiness = createReadiness({ store })
  const document = documentFor(origins)
  const removedSensors = createRemovedSensors({
    airLog: storage.airLog,
    onError: (error) => logger.warn({ err: error }, 'could not tell the air picture that a sensor was removed'),
  })
  const devices = createDeviceRegistry({ directory, clock, ...(isAirOn && { onRemoved: removedSensors.record }) })
  const histories = createDeviceHistories({
    store,
    clock,
    onError: (error) => logger.warn({ err: error }, 'could not write the history of a device'),
  })
  const audit: Audit = (event) => {
    logger.info({ audit: event }, event.event)
    recordAuditEvent(histories, event)
  }
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
  const pairing = createPairing({ storage, settings, identity, devices, revokeTokens, histories, clock, audit, logger })
  const budget = createReadingBudget({ sleep: clock.sleep, untaken: memoryRoom(64 * 1024 * 1024) })
  const relays = createRelays({
    storage,
    settings,
    origins,
    extraCa,
    sign: (text) => signAsync(null, text, identity.getRelayMessageKey().key),
    devices,
    budget,
    clock,
    meter,
    logger,
  })

  const air = isAirOn
    ? createAir({ storage, settings, terrain, devices, clock, meter: metrics.airMeter, logger })
    : undefined
  const shown = givenAir ?? air

  const stopping = new AbortController()
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
        selfRegisteredAccounts: settings.selfRegisteredAccounts,
      }),
      history: histories,
      endAttempts: relays.endAttempts,
      revokeTokens,
      clock,
      metricWindowMs,
      recentWindow: toRecentWindow(settings),
      budget,
    }),
    ...pairing.operations,
    ...reportOperations({
      append: createBackPressure({
        reportLog,
        clock,
        backlog: settings.ingestBacklog,
        bytesOfClient: toBytesOfClient(settings),
      }).append,
      summarise,
      meter,
    }),
    ...relays.operations,
    ...airOperations(
      shown && { pictures: shown.pictures, areas: shown.areas, budget, clock, stopping: stopping.signal },
    ),
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
    ownMap: await readOwnMap(settings),
    caFile,
    onRefused: (refusal) => recordRefusedReport(histories, refusal),
    metrics,
    clock,
    logger,
    validateResponses,
    fastPath,
  })

  return {
    listener,
    devices,
    audit,
    handlers,
    metrics,
    readiness,
    endStreams: () => stopping.abort(),
    startWorkers() {
      const stopFollowing = identity.follow()
      const isWorker = settings.roles.includes('worker')
      const inbox = air?.inbox
      const stopAirWorker = isWorker ? air?.startWorker() : undefined
      const stopWorkers = isWorker
        ? startWorkers({ storage, settings, devices, stages, inbox, relays, clock, meter, logger })
        : () => relays.connection.close()
      const cot = { destinations: settings.airCot, certificates: cotCertificates, clock, logger }
      const stopCotOutputs = shown && isWorker ? startCotOutputs({ pictures: shown.pictures, ...cot }) : undefined
      return async () => {
        await stopCotOutputs?.()
        await stopWorkers()
        await stopAirWorker?.()
        air?.close()
        await Promise.all([relays.stop(), pairing.idle(), histories.idle()])
        await stopFollowing()
        await reportReaders.close()
      }
    },
  }
}
