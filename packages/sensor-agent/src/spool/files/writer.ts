/**
 * Writes the spool's memory to its files, and syncs them.
 * In: the entries in memory. Out: the same in the files: at once in the mode `file` and while offline, otherwise those
 * that have waited for most of `syncMs`. An `fsync` runs beside the writes and holds none of them up. A disk that fails
 * is tried again every 5 s; until then entries stay in memory.
 */
import { AgentError, type AgentErrorCode, toReason } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import type { EntryWindow } from '../entry-window.ts'
import type { SpoolEntry } from '../spool.ts'
import type { FolderLock } from './lock.ts'
import type { Segments } from './segments.ts'

export interface WriterOptions {
  window: EntryWindow
  segments: Segments
  lock: FolderLock
  clock: Clock
  syncMs: number
  /** A long queue is written in parts of this size, so that the first callers do not wait for the last. */
  maxWriteBytes: number
  /** Whether appended entries are written at once also while online. */
  writesAtOnce: boolean
  /** Called after entries were written. */
  evict(): void
  onAlarm(error: AgentError): void
}

export interface Writer {
  /**
   * Resolves when the entries are written, if the mode asks for it. It never rejects: on a failing disk they stay in
   * memory.
   */
  appended(): Promise<void>
  /** Call it after entries were removed. */
  removed(): void
  setOnline(online: boolean): void
  state(): { failing: boolean; writtenThrough: number }
  /** Writes and syncs everything. @throws AgentError `spool_unwritable`. */
  close(): Promise<void>
}

const retryMs = 5_000
const syncOfflineMs = 1_000
// In the mode memory-first, writing begins after this part of syncMs, so that a busy machine keeps the bound, too.
const startOfWrite = 3 / 4
// In the mode memory-first, more entries than this are written also while online.
const maxUnwritten = 10_000

export function createWriter({
  window,
  segments,
  lock,
  clock,
  syncMs,
  maxWriteBytes,
  writesAtOnce,
  evict,
  onAlarm,
}: WriterOptions): Writer {
  let writtenThrough = window.endSequence() - 1
  let online = true
  let failing = false
  let closed = false
  let isDirty = false
  let hasGone = false
  let lastSyncMs = Number.NEGATIVE_INFINITY
  let timer: { atMs: number; stop: AbortController } | undefined
  let waiters: { through: number; resolve(): void }[] = []
  /** Work on the files except `fsync`; one piece at a time. */
  let work: Promise<void> = Promise.resolve()
  /** The `fsync` in progress; at most one. */
  let syncing: Promise<void> | undefined
  let isWriting = false
  let told: AgentErrorCode | undefined

  if (lock.failure !== undefined) void fail(lock.failure).then(schedule)
  return {
    appended,
    removed() {
      hasGone = true
      schedule()
    },
    setOnline(value) {
      if (online === value) return
      online = value
      if (!online) startWriting()
      schedule()
    },
    state: () => ({ failing, writtenThrough }),
    close,
  }

  function appended(): Promise<void> {
    const isTooMuch = window.endSequence() - 1 - writtenThrough > maxUnwritten
    if (failing || !(writesAtOnce || !online || isTooMuch)) {
      schedule()
      return Promise.resolve()
    }
    const through = window.endSequence() - 1
    return new Promise((resolve) => {
      waiters.push({ through, resolve })
      startWriting()
    })
  }

  function startWriting(): void {
    if (isWriting || failing) return
    isWriting = true
    void inTurn(async () => {
      try {
        await writeAll()
      } finally {
        isWriting = false
      }
    })
  }

  async function writeAll(): Promise<void> {
    for (let next = nextUnwritten(); next.length > 0; next = nextUnwritten()) {
      await segments.write(next)
      isDirty = true
      markGoneMeanwhile(next)
      setWritten(next.at(-1)?.sequence ?? writtenThrough)
    }
    setWritten(window.endSequence() - 1)
  }

  /** Entries that left the memory while they were being written: nobody has told their segment. */
  function markGoneMeanwhile(written: readonly SpoolEntry[]): void {
    for (const entry of written) {
      if (window.at(entry.sequence) || segments.isGone(entry.sequence)) continue
      segments.markGone(entry)
      hasGone = true
    }
  }

  function setWritten(through: number): void {
    writtenThrough = Math.max(writtenThrough, through)
    evict()
    resolveWaiters()
  }

  function nextUnwritten(): SpoolEntry[] {
    const entries: SpoolEntry[] = []
    let bytes = 0
    for (let sequence = Math.max(writtenThrough + 1, window.firstSequence()); bytes < maxWriteBytes; sequence += 1) {
      if (sequence >= window.endSequence()) break
      const entry = window.at(sequence)
      if (!entry) continue
      entries.push(entry)
      bytes += entry.bytes
    }
    return entries
  }

  function resolveWaiters(): void {
    const ready = waiters.filter(({ through }) => failing || through <= writtenThrough)
    waiters = waiters.filter(({ through }) => !failing && through > writtenThrough)
    for (const { resolve } of ready) resolve()
  }

  /** Writes what has waited long enough, saves which entries are gone, and starts an `fsync`. */
  async function maintain(): Promise<void> {
    await lock.check()
    if (failing || (waitMsOfUnwritten() ?? 1) <= 0) await writeAll()
    failing = false
    if (hasGone) await segments.tidy()
    hasGone = false
    startSync()
    lastSyncMs = clock.elapsed()
  }

  function startSync(): void {
    if (!isDirty || syncing) return
    isDirty = false
    if (!segments.hasEntries()) return
    syncing = segments
      .sync()
      .catch((cause) => inTurn(() => Promise.reject(cause)))
      .finally(() => {
        syncing = undefined
        lastSyncMs = clock.elapsed()
        schedule()
      })
  }

  /** Runs after the work before it. A failure is an alarm. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    work = work.then(task).catch(fail).then(schedule)
    return work
  }

  async function fail(cause: unknown): Promise<void> {
    const alarm = toAlarm(cause)
    if (!failing || alarm.code !== told) onAlarm(alarm)
    told = alarm.code
    failing = true
    // The segment that is ended below, too.
    isDirty = true
    resolveWaiters()
    await segments.rotate().catch(() => undefined)
  }

  function toAlarm(cause: unknown): AgentError {
    if (cause instanceof AgentError) return cause
    const message = `The spool cannot write its files: ${toReason(cause)}; positions stay in memory until it can`
    return new AgentError('spool_unwritable', message, { cause })
  }

  function schedule(): void {
    const waitMs = closed ? undefined : findWaitMs()
    if (waitMs === undefined) return
    const atMs = clock.elapsed() + waitMs
    if (timer && timer.atMs <= atMs) return
    timer?.stop.abort('earlier')
    const stop = new AbortController()
    timer = { atMs, stop }
    void clock.sleep(waitMs, stop.signal).then(() => {
      if (stop.signal.aborted) return
      timer = undefined
      return inTurn(maintain)
    })
  }

  /** Undefined if nothing has to be done later. */
  function findWaitMs(): number | undefined {
    if (failing) return retryMs
    const unwrittenMs = waitMsOfUnwritten()
    const syncWaitMs = online ? syncMs : Math.max(0, lastSyncMs + syncOfflineMs - clock.elapsed())
    const waits = [
      ...(unwrittenMs === undefined ? [] : [unwrittenMs]),
      ...((isDirty && !syncing) || hasGone ? [syncWaitMs] : []),
    ]
    return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits))
  }

  function waitMsOfUnwritten(): number | undefined {
    for (let sequence = Math.max(writtenThrough + 1, window.firstSequence()); ; sequence += 1) {
      if (sequence >= window.endSequence()) return undefined
      const entry = window.at(sequence)
      // The caller's times may come from another clock, so the wait is at most one full delay.
      const delayMs = syncMs * startOfWrite
      if (entry)
        return online ? Math.min(delayMs, (entry.waitingSinceMs ?? clock.elapsed()) + delayMs - clock.elapsed()) : 0
      // It was delivered before it was written.
      writtenThrough = sequence
    }
  }

  async function close(): Promise<void> {
    closed = true
    timer?.stop.abort()
    startWriting()
    await work
    await syncing
    try {
      await lock.check()
      await writeAll()
      await segments.close()
    } catch (cause) {
      await segments.close().catch(() => undefined)
      const lost = countUnwritten()
      const message = `The spool could not write its files at the end: ${toReason(cause)}; ${lost === 0 ? 'no position is' : `${lost} positions are`} lost`
      throw new AgentError('spool_unwritable', message, { cause })
    }
  }

  /** Entries that were delivered from the memory leave gaps. */
  function countUnwritten(): number {
    let count = 0
    for (let sequence = window.endSequence() - 1; sequence > writtenThrough; sequence -= 1) {
      if (window.at(sequence)) count += 1
    }
    return count
  }
}
