/**
 * One account's picture while this process holds it: sends the entries of its queue to the thread, and stores
 * snapshots.
 * In: a lease on the queue. Out: which entries are covered by a snapshot and can leave the queue.
 */
import type { Limit } from '../../concurrency/limit.ts'
import type { DeviceRegistry } from '../../devices/registry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { AirMeter, AirNow } from '../../ports/meter.ts'
import type { LogEntry } from '../../ports/storage/log.ts'
import type { AirAreas } from '../areas.ts'
import { type AirEntry, type AirReport, readEntryBody } from '../log/air-entry.ts'
import type { AirThread } from '../thread/start-air-thread.ts'
import { AirThreadEnded } from '../thread/thread-ended.ts'
import type { Crashes } from './crashes.ts'
import type { ReportTexts } from './report-texts.ts'
import type { AirSnapshots, SnapshotHead } from './snapshots.ts'

export interface HeldPicture {
  /**
   * Processes the entries in order; after `untilMs` it starts none.
   * @throws Error when the thread failed; ApiError `unavailable`
   */
  process(entries: readonly LogEntry[], untilMs: number): Promise<void>
  /** The seq of the last entry that `process` got; 0 if it got none. */
  lastSeq(): number
  /** Stores a snapshot if one is due. Returns the seqs of the entries that can leave the queue. */
  saveIfDue(): Promise<number[]>
  /** True when nothing happens in the picture until the next entry. */
  isResting(): boolean
  /** False when the picture was opened by an earlier start of the thread, or when another process has held it since. */
  isCurrent(): Promise<boolean>
  /** As of the last snapshot. */
  now(): AirNow
}

export interface HeldPictureOptions {
  accountId: string
  thread: AirThread
  snapshots: AirSnapshots
  texts: ReportTexts
  areas: Pick<AirAreas, 'get'>
  devices: Pick<DeviceRegistry, 'find'>
  /** Shared by all pictures: limits what is on its way to the thread. */
  limit: Limit
  crashes: Crashes
  clock: Clock
  meter: AirMeter
  logger: Logger
}

/** Older reports are skipped: the picture is one of now. Longer than a restart takes. */
const maxAgeMs = 120_000
const snapshotEveryMs = 10_000
/** Snapshots take at most this share of the thread's time. */
const snapshotShare = 1 / 20
/** A snapshot of an idle picture is stored again before the store forgets it. */
const refreshMs = 60 * 60_000
/** What is sent to the thread together, so that the texts do not take much memory. A longer report is sent alone. */
const portion = { reports: 128, bytes: 256 * 1024 }

/** Opens the picture from its last snapshot. @throws Error when another process was first */
export async function openHeldPicture(options: HeldPictureOptions): Promise<HeldPicture> {
  const { accountId, thread, snapshots, texts, areas, devices, limit, crashes, clock, meter, logger } = options
  let head = await takeOver()
  let lastSeq = 0
  /** The entries in the queue up to `lastSeq`. */
  let waiting: number[] = []
  let isChanged = false
  let savedAtMs = clock.now()
  let nextSnapshotMs = savedAtMs + snapshotEveryMs
  let isResting = false
  let now: AirNow = { targets: 0, crowded: 0, moreAlerts: 0 }
  await open()
  // The request may have started the thread.
  const starts = thread.starts()

  async function takeOver(): Promise<SnapshotHead> {
    const taken = await snapshots.takeOver(accountId, await snapshots.find(accountId))
    if (!taken) throw new Error(`Another process has just opened the air picture of "${accountId}"`)
    return taken
  }

  async function open(): Promise<void> {
    const parts = crashes.isPoison(accountId, 'snapshot') ? [] : await snapshots.read(accountId, head)
    const request = { kind: 'open', accountId, nowMs: clock.now(), parts, areas: await areas.get(accountId) } as const
    try {
      await crashes.watch(accountId, 'snapshot', () => thread.request(request))
    } catch (error) {
      if (parts.length === 0 || error instanceof AirThreadEnded) throw error
      logger.error({ account: accountId, err: error }, 'the snapshot of an air picture cannot be used; it begins empty')
      await thread.request({ ...request, parts: [] })
    }
  }

  /** An entry that cannot be processed must not stop the picture. */
  async function processEntry(entry: LogEntry): Promise<void> {
    const { seq, appendedAtMs, body } = entry
    if (crashes.isPoison(accountId, seq)) return setAside(seq, 'the thread ended each time that it worked on it')
    const content = tryRead(body)
    if (content instanceof Error) return setAside(seq, content)
    if (content.kind === 'reports' && clock.now() - appendedAtMs > maxAgeMs) return meter.dropped(1)
    isChanged = true
    // An entry from before the clock was set back must not take the picture to a time that has not come.
    await crashes.watch(accountId, seq, () => take(content, Math.min(appendedAtMs, clock.now())))
  }

  function setAside(seq: number, reason: unknown): void {
    meter.setAside(1)
    logger.error({ account: accountId, seq, err: reason }, 'an entry of the air picture is set aside')
  }

  async function take(entry: AirEntry, appendedAtMs: number): Promise<void> {
    if (entry.kind === 'areas') {
      await thread.request({ kind: 'areas', accountId, areas: await areas.get(accountId) })
      return
    }
    if (entry.kind === 'removed') {
      await thread.request({ kind: 'forgetSensor', accountId, deviceUrn: entry.deviceUrn })
      return
    }
    for (const reports of toPortions(entry.reports)) await limit('thread', () => send(reports, appendedAtMs))
  }

  async function send(reports: readonly AirReport[], entryAtMs: number): Promise<void> {
    const { found, missing } = await texts.read(reports)
    if (missing > 0) meter.dropped(missing)
    const taken = await thread.request({ kind: 'reports', accountId, entryAtMs, reports: found })
    meter.correlated(taken.positions, clock.now() - entryAtMs)
    if (taken.setAside === 0) return
    meter.setAside(taken.setAside)
    const fields = { account: accountId, reports: taken.setAside, err: taken.reason }
    logger.error(fields, 'reports of the air picture are set aside')
  }

  /** The device of a silent sensor may have been removed while its last reports were still on their way here. */
  async function forgetRemoved(silentSensors: readonly string[]): Promise<void> {
    for (const deviceUrn of silentSensors) {
      const device = await devices.find(deviceUrn)
      if (device?.accountId === accountId) continue
      await thread.request({ kind: 'forgetSensor', accountId, deviceUrn })
      isChanged = true
    }
  }

  async function saveSnapshot(): Promise<void> {
    const seq = Math.max(lastSeq, head.seq)
    isChanged = false
    const snapshot = await thread.request({ kind: 'snapshot', accountId })
    const saved = await snapshots.save(accountId, head, { parts: snapshot.parts, seq })
    if (!saved) throw new Error(`Another process has opened the air picture of "${accountId}"`)
    head = saved
    crashes.forget(accountId)
    isResting = snapshot.isResting
    now = snapshot.now
    meter.snapshotStored()
    meter.leftOut(snapshot.leftOut)
    // Tracks coast and end without entries.
    if (now.targets > 0) isChanged = true
    savedAtMs = clock.now()
    nextSnapshotMs = savedAtMs + Math.max(snapshotEveryMs, snapshot.tookMs / snapshotShare)
    await forgetRemoved(snapshot.silentSensors)
  }

  return {
    async process(entries, untilMs) {
      for (const entry of entries) {
        if (entry.seq <= lastSeq) continue
        if (clock.now() >= untilMs) return
        // The snapshot from which the picture was opened covers earlier entries.
        if (entry.seq > head.seq) await processEntry(entry)
        lastSeq = entry.seq
        waiting.push(entry.seq)
      }
    },
    lastSeq: () => lastSeq,
    async saveIfDue() {
      const nowMs = clock.now()
      const isDue = isChanged || !isResting || nowMs - savedAtMs >= refreshMs
      if (isDue && nowMs >= nextSnapshotMs) await saveSnapshot()
      // The last entry stays, so that this process keeps the lease while the picture goes on without entries.
      const isKept = (seq: number) => seq > head.seq || (seq === lastSeq && !isResting)
      const covered = waiting.filter((seq) => !isKept(seq))
      waiting = waiting.filter(isKept)
      return covered
    },
    isResting: () => isResting,
    async isCurrent() {
      if (starts !== thread.starts()) return false
      const found = await snapshots.find(accountId)
      return found?.holder === head.holder && found.version === head.version
    },
    now: () => now,
  }
}

function tryRead(body: string): AirEntry | Error {
  try {
    return readEntryBody(body)
  } catch (error) {
    return new Error('The entry cannot be read', { cause: error })
  }
}

function* toPortions(reports: readonly AirReport[]): Generator<AirReport[]> {
  let next: AirReport[] = []
  let bytes = 0
  for (const report of reports) {
    if (next.length === portion.reports || (next.length > 0 && bytes + report.bytes > portion.bytes)) {
      yield next
      next = []
      bytes = 0
    }
    next.push(report)
    bytes += report.bytes
  }
  if (next.length > 0) yield next
}
