/**
 * Composes the rooms of the server over the storage.
 * In: storage, origins and settings. Out: the request handler and the background workers.
 */
import type { RequestListener } from 'node:http'
import type { AirAreas } from '../air/areas.ts'
import { type CotDestination, startCotOutputs } from '../air/cot/cot-outputs.ts'
import { airOperations } from '../air/operations.ts'
import type { AirPictures } from '../air/picture.ts'
import { createReadingBudget } from '../concurrency/reading-budget.ts'
import { createDeviceHistories } from '../devices/device-history.ts'
import { deviceOperations } from '../devices/operations.ts'
import { createDeviceRegistry, type DeviceRegistry } from '../devices/registry.ts'
import { createSensorRequests } from '../devices/sensor-requests.ts'
import { type JsonItem, toJsonText } from '../http/operation/json-text.ts'
import { limitRates } from '../http/operation/limit-rates.ts'
import { documentFor, type Origins } from '../http/operation/openapi-document.ts'
import type { Handlers } from '../http/operation/operation.ts'
import type { Audit } from '../identity/audit.ts'
import { createIdentityProvider } from '../identity/identity.ts'
import { signAsync } from '../identity/keys/sign-async.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { scaleToHeap } from '../ports/scale-to-heap.ts'
import { createBackPressure } from '../reports/back-pressure.ts'
import { reportOperations } from '../reports/operations.ts'
import { createReportReaders } from '../reports/report-readers.ts'
import { summarise } from '../reports/report-summary.ts'
import { createMetrics, type Metrics } from '../service/metrics.ts'
import { serviceOperations } from '../service/operations.ts'
import { createReadiness, type ReadinessState } from '../service/readiness.ts'
import { callsPerMinute } from '../settings/rates.ts'
import type { Settings } from '../settings/setting-table.ts'
import { createAfterRemoval } from './after-removal.ts'
import { createAir } from './create-air.ts'
import { createPairing } from './create-pairing.ts'
import { createRelays } from './create-relays.ts'
import { recordAuditEvent, recordRefusedReport } from './history-events.ts'
import { toIdentityOptions } from './identity-options.ts'
import { createRequestListener } from './listening/request-listener.ts'
import { readOwnMap } from './own-map.ts'
import { toBytesOfClient, toRecentWindow } from './storage/storage-bounds.ts'
import type { Storage } from './storage/storage-ports.ts'
import { startWorkers } from './workers.ts'

export interface AppOptions {
  settings: Settings
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
  /** Where the air picture is sent. Default: nowhere. */
  cotDestinations?: readonly CotDestination[]
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
   * Starts the pipeline, the courier, and the reading of revocations by other processes. Returns a function that stops
   * them.
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
    cotDestinations = [],
    validateResponses = false,
    fastPath = true,
  } = options
  const { store, directory, reportLog, deliveryLog, recentReports } = storage
  const { metricWindow: metricWindowMs, sensorIdPolicy } = settings

  const isAirOn = settings.air === 'on'
  const logs = { report: reportLog, delivery: deliveryLog, ...(isAirOn && { air: storage.airLog }) }
  const metrics = createMetrics({ logs, clock, findPartsAway: storage.findPartsAway })
  const { meter } = metrics
  storage.onCommit?.(metrics.commit)
  const readiness = createReadiness({ store, findPartsAway: storage.findPartsAway })
  const document = documentFor(origins)
  const onRemoved = createAfterRemoval({
    storage,
    isAirOn,
    onError: (error) => logger.warn({ err: error }, 'could not clean up after a device was removed'),
  })
  const devices = createDeviceRegistry({ directory, clock, onRemoved })
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
    ...toIdentityOptions({ storage, settings, logger }),
    ...{ devices, clock, origins, audit },
  })
  const revokeTokens = (deviceUrn: string) => identity.revoke({ kind: 'device', deviceUrn })
  const pairing = createPairing({ storage, settings, identity, devices, revokeTokens, histories, clock, audit, logger })
  const budget = createReadingBudget({
    sleep: clock.sleep,
    untaken: scaleToHeap(64 * 1024 * 1024),
    sizeOf: (item) => toJsonText(item as JsonItem).length,
  })
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
  const unlimited: Handlers = {
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
        bytesOfClient: toBytesOfClient(settings),
      }).append,
      summarise,
      meter,
      mends: settings.ingestProfile === 'compat',
    }),
    ...relays.operations,
    ...airOperations(
      shown && { pictures: shown.pictures, areas: shown.areas, budget, clock, stopping: stopping.signal },
    ),
    ...serviceOperations({ document, version, metrics, readiness, metricsToken: settings.metricsToken }),
  }
  const handlers = limitRates(unlimited, { clock, callsPerMinute })

  const reportReaders = createReportReaders({ logger, mends: settings.ingestProfile === 'compat' })
  const listener = await createRequestListener({
    settings,
    storage,
    document,
    origins,
    identity,
    devices,
    handlers,
    readReport: reportReaders.read,
    ownMap: await readOwnMap(settings.airMap),
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
      const cot = { destinations: cotDestinations, clock, logger }
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
