/** The air picture for tests: its worker with a thread that runs in the test's own thread. */
import type { PositionData } from '@posrep/spec'
import { onTestFinished } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { createMemoryRecentReports } from '../../src/adapters/memory/recent-reports.ts'
import { createAirAreas } from '../../src/air/areas.ts'
import { createAirInbox } from '../../src/air/log/air-inbox.ts'
import { createRecentTexts } from '../../src/air/log/recent-texts.ts'
import { createAirPictures } from '../../src/air/pictures/air-pictures.ts'
import type { AirSource } from '../../src/air/pictures/air-source.ts'
import { createFindStored } from '../../src/air/pictures/stored-pictures.ts'
import { createAirEngine } from '../../src/air/thread/air-engine.ts'
import type { AirReplies, AirThreadOptions, FromThread } from '../../src/air/thread/messages.ts'
import type { AirThread } from '../../src/air/thread/start-air-thread.ts'
import { AirThreadEnded, PictureNotOpen } from '../../src/air/thread/thread-ended.ts'
import { startAirWorker } from '../../src/air/worker/air-worker.ts'
import { createFrames } from '../../src/air/worker/frames.ts'
import { createReportTexts } from '../../src/air/worker/report-texts.ts'
import { createAirSnapshots } from '../../src/air/worker/snapshots.ts'
import { createAfterRemoval } from '../../src/composition/after-removal.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import type { Storage } from '../../src/composition/storage/storage-ports.ts'
import { createManualClock, type ManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import type { AirLeftOut, AirNow } from '../../src/ports/meter.ts'
import type { DeviceRecord } from '../../src/ports/storage/directory.ts'
import { aPosition } from '../a-report.ts'
import { silentLogger } from '../a-server.ts'
import { aDevice } from '../pipeline/a-pipeline-report.ts'

export const account = aDevice.accountId
export const roof1 = aDevice.id
export const roof2 = 'urn:aa:device:fleet:roof2'

const options: AirThreadOptions = { maxTargets: 1_000, separation: 'automatic' }

/** Runs the engine here, one portion per step of the event loop, as the thread does. */
export function aThread(given: Partial<AirThreadOptions> = {}): AirThread & { die(): void } {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  const listeners: ((accountId: string, frame: string) => void)[] = []
  let lastId = 0
  let starts = 0
  let isScheduled = false
  let engine = start()

  function start() {
    starts++
    return createAirEngine({
      ...options,
      ...given,
      mend: (value) => ({ value }),
      send: receive,
      elapsedMs: currentTimeMs,
    })
  }

  function receive(message: FromThread): void {
    if (message.kind === 'frame') for (const listener of listeners) listener(message.accountId, message.frame)
    if (message.kind === 'reply') waiting.get(message.id)?.resolve(structuredClone(message.value))
    if (message.kind === 'notOpen') waiting.get(message.id)?.reject(new PictureNotOpen(message.error))
    if (message.kind === 'failed') waiting.get(message.id)?.reject(new Error(message.error))
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      if (engine.work()) schedule()
    })
  }

  return {
    request(request) {
      return new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve: (value) => resolve(value as AirReplies[typeof request.kind]), reject })
        engine.receive({ kind: 'request', id, request: structuredClone(request) })
        schedule()
      })
    },
    command: (command) => engine.receive(command),
    onFrame: (listener) => void listeners.push(listener),
    starts: () => starts,
    async close() {},
    die() {
      engine = start()
      for (const { reject } of waiting.values()) reject(new AirThreadEnded(false))
      waiting.clear()
    },
  }
}

export interface AirProcessOptions {
  storage: Storage
  clock: ManualClock
  thread?: AirThread
  remote?: AirSource
}

/** What one process has of the air picture. */
export function anAirProcess({ storage, clock, thread = aThread(), remote }: AirProcessOptions) {
  const dropped: number[] = []
  const setAside: number[] = []
  const leftOut: Record<AirLeftOut, number>[] = []
  let now: AirNow | undefined
  let stored = 0
  const positions: number[] = []
  const meter = {
    correlated: (count: number) => void positions.push(count),
    dropped: (count: number) => void dropped.push(count),
    setAside: (count: number) => void setAside.push(count),
    snapshotStored: () => void stored++,
    leftOut: (counts: Record<AirLeftOut, number>) => void leftOut.push(counts),
    pictures: (sums: AirNow) => void (now = sums),
  }
  const recentTexts = createRecentTexts()
  const inbox = createAirInbox({ airLog: storage.airLog, texts: recentTexts, onDropped: meter.dropped })
  const areas = createAirAreas({ directory: storage.directory, inbox })
  const snapshots = createAirSnapshots({ store: storage.store })
  const frames = createFrames({ clock })
  const pictures = createAirPictures({
    sources: remote ? [frames.source, remote] : [frames.source],
    findStored: createFindStored({ ...options, snapshots }),
    areas,
    clock,
    logger: silentLogger,
  })
  onTestFinished(() => pictures.close())
  const devices = createDeviceRegistry({ directory: storage.directory, clock })
  const errors: unknown[] = []
  const logger = { ...silentLogger, warn: (fields: object) => void errors.push(fields) }
  const texts = createReportTexts({ recentTexts, recentReports: storage.recentReports })

  return {
    inbox,
    afterRemoval: createAfterRemoval({ storage, isAirOn: true, onError: (error) => void errors.push(error) }),
    areas,
    pictures,
    frames,
    thread,
    dropped,
    setAside,
    leftOut,
    now: () => now,
    storedSnapshots: () => stored,
    errors,
    positions: () => positions.reduce((sum, count) => sum + count, 0),
    startWorker() {
      const { airLog } = storage
      return startAirWorker({ airLog, frames, thread, snapshots, texts, areas, devices, clock, meter, logger })
    },
  }
}

/** A process with storage in memory, whose worker runs until the test ends. */
export async function anAir(given: Partial<AirProcessOptions> = {}) {
  const clock = given.clock ?? createManualClock()
  const storage = given.storage ?? { ...memoryStorage({ clock }), recentReports: createMemoryRecentReports() }
  const air = anAirProcess({ ...given, storage, clock })
  const worker = air.startWorker()
  onTestFinished(async () => {
    const stopped = worker.stop()
    await clock.advance(1_000)
    await stopped
  })
  return { ...air, worker, clock, storage }
}

/** Advances the time in small steps, so that what the steps start can end. */
export async function run(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) await clock.advance(Math.min(100, left))
}

/** An aircraft on its way to the east. */
export function anAircraft(icao: string, atMs: number, given: Partial<PositionData> = {}): PositionData {
  return aPosition({
    id: `${icao}-${atMs}`,
    sourceTimeStamp: new Date(atMs).toISOString(),
    position: { lat: 60.3, lon: 24 + ((atMs / 1_000) % 3_600) * 0.002, accuracy: 20 },
    target: { ids: [{ id: icao, type: 'ICAO' }] },
    altitudes: [{ height: 1_000, datum: 'wgs84' }],
    groundVelocity: { x: 110, y: 0, z: 0 },
    ...given,
  })
}

export function aText(positions: PositionData[]): string {
  return JSON.stringify({ sensor: { id: 'roof1' }, positions })
}

export function aReportOf(seq: number, receivedAtMs: number, positions: PositionData[]) {
  return { seq, receivedAtMs, duplicates: new Set<number>(), raw: aText(positions) }
}

/** The same as the thread gets it. */
export function aReceivedReport(deviceUrn: string, seq: number, receivedAtMs: number, positions: PositionData[]) {
  return { deviceUrn, seq, receivedAtMs, duplicates: [], text: aText(positions) }
}

export function aSensor(id: string): DeviceRecord {
  return { ...aDevice, id, localId: id.split(':').at(-1) ?? '' }
}
