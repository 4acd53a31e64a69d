/**
 * The air picture over the storage.
 * In: storage, devices and settings. Out: what the operations and the pages read, what the pipeline appends to, and its
 * worker.
 */
import { randomUUID } from 'node:crypto'
import { type AirAreas, createAirAreas } from '../air/areas.ts'
import { type AirInbox, createAirInbox } from '../air/log/air-inbox.ts'
import { createRecentTexts } from '../air/log/recent-texts.ts'
import type { AirPictures } from '../air/picture.ts'
import { createAirPictures } from '../air/pictures/air-pictures.ts'
import { createRemoteSource } from '../air/pictures/remote-source.ts'
import { servePictures } from '../air/pictures/serve-pictures.ts'
import { createFindStored } from '../air/pictures/stored-pictures.ts'
import { startAirThread } from '../air/thread/start-air-thread.ts'
import { startAirWorker } from '../air/worker/air-worker.ts'
import { createFrames } from '../air/worker/frames.ts'
import { createReportTexts } from '../air/worker/report-texts.ts'
import { createAirSnapshots } from '../air/worker/snapshots.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { AirMeter } from '../ports/meter.ts'
import type { Settings } from '../settings/setting-table.ts'
import type { Storage } from './storage/storage-ports.ts'

export interface Air {
  pictures: AirPictures
  areas: AirAreas
  inbox: AirInbox
  /** Starts the thread and the worker. Returns a function that stops them. */
  startWorker(): () => Promise<void>
  /** Closes the pictures. */
  close(): void
}

export interface AirOptions {
  storage: Pick<Storage, 'store' | 'directory' | 'airLog' | 'recentReports' | 'announcements'>
  settings: Settings
  /** Of the module with the terrain function. */
  terrain?: URL | undefined
  devices: Pick<DeviceRegistry, 'find'>
  clock: Clock
  meter: AirMeter
  logger: Logger
}

/** Tracks of an account. */
const maxTargets = 10_000

export function createAir({ storage, settings, terrain, devices, clock, meter, logger }: AirOptions): Air {
  const { store, directory, airLog, recentReports, announcements } = storage
  const self = randomUUID()
  const options = { maxTargets, separation: settings.airSeparation }
  const recentTexts = createRecentTexts()
  const inbox = createAirInbox({ airLog, texts: recentTexts, onDropped: meter.dropped })
  const areas = createAirAreas({ directory, inbox })
  const snapshots = createAirSnapshots({ store, holder: self })
  const frames = createFrames({ clock })
  const remote = announcements && createRemoteSource({ announcements, clock, self })
  const pictures = createAirPictures({
    sources: remote ? [frames.source, remote] : [frames.source],
    findStored: createFindStored({ ...options, snapshots }),
    areas,
    clock,
    logger,
  })

  return {
    pictures,
    areas,
    inbox,
    startWorker() {
      const thread = startAirThread({ ...options, terrainUrl: terrain?.href, logger, clock })
      const texts = createReportTexts({ recentTexts, recentReports })
      const worker = startAirWorker({
        airLog,
        frames,
        thread,
        snapshots,
        texts,
        areas,
        devices,
        clock,
        meter,
        logger,
      })
      const stopServing = announcements && servePictures({ own: frames.source, announcements, clock, self })
      return async () => {
        stopServing?.()
        const stopped = worker.stop()
        // The worker would wait until a thread that has ended is started again.
        await thread.close()
        await stopped
      }
    },
    close: () => pictures.close(),
  }
}
