/**
 * Starts the background workers: the pipeline, the courier, and the sweeper that deletes expired entries.
 * In: the storage and the dependencies of the workers. Out: a function that stops all workers in about a second.
 */
import type { AirInbox } from '../air/log/air-inbox.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { startPipeline } from '../pipeline/pipeline.ts'
import type { Stage } from '../pipeline/stage.ts'
import { pipelineStages } from '../pipeline/stages/stages.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import { startCourier } from '../relays/courier/courier.ts'
import { mendReport } from '../reports/mend/mend-report.ts'
import type { Settings } from '../settings/setting-table.ts'
import type { Relays } from './create-relays.ts'
import { toDeliveryBound, toRecentBound } from './storage/storage-bounds.ts'
import type { Storage } from './storage/storage-ports.ts'

export interface WorkersOptions {
  storage: Pick<Storage, 'reportLog' | 'deliveryLog' | 'recentReports' | 'recentDeliveries'>
  settings: Settings
  devices: DeviceRegistry
  /** The integrator's stages. */
  stages?: readonly Stage[] | undefined
  /** Undefined when the air picture is switched off. */
  inbox?: AirInbox | undefined
  relays: Pick<Relays, 'connection' | 'dropped' | 'courier'>
  clock: Clock
  meter: Meter
  logger: Logger
}

const sweepEveryMs = 60_000
/** For this time, buried entries can be listed and resent. */
const keepBuriedMs = 30 * 24 * 60 * 60_000

/**
 * Returns a function that stops the workers: work in flight is finished or left in its queue, and no new work starts.
 */
export function startWorkers(options: WorkersOptions): () => Promise<void> {
  const { storage, settings, devices, relays, clock, meter, logger } = options
  const { reportLog, deliveryLog, recentReports, recentDeliveries } = storage
  const { metricWindow: metricWindowMs, relayRetention: retentionMs } = settings

  const mend = mendReport
  const stages = pipelineStages({
    custom: options.stages,
    inbox: options.inbox,
    recentReports,
    deliveryLog,
    deliveryBound: toDeliveryBound(settings),
    onDropped: relays.dropped.record,
    clock,
    metricWindowMs,
    recentBound: toRecentBound(settings),
    mend,
  })
  const pipeline = startPipeline({ reportLog, devices, stages, mend, clock, meter, logger })
  const courier = startCourier({
    ...relays.courier,
    deliveryLog,
    devices,
    clock,
    retentionMs,
    meter,
    logger,
    random: Math.random,
  })
  const sweeper = startSweeping()

  return async () => {
    await Promise.all([pipeline.stop(), courier.stop(), sweeper.stop()])
    await relays.connection.close()
  }

  function startSweeping(): { stop(): Promise<void> } {
    const stopping = new AbortController()
    const swept = sweepUntil(stopping.signal)
    return {
      async stop() {
        stopping.abort()
        await swept
      },
    }
  }

  async function sweepUntil(stopping: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(sweepEveryMs, stopping)
      if (stopping.aborted) return
      const buriedBeforeMs = clock.now() - keepBuriedMs
      await Promise.all([
        recentReports.sweep(clock.now() - metricWindowMs),
        recentDeliveries.sweep(buriedBeforeMs),
        reportLog.forgetBuried(buriedBeforeMs),
        deliveryLog.forgetBuried(buriedBeforeMs),
      ]).catch((error) => logger.warn({ err: error }, 'sweep failed'))
    }
  }
}
