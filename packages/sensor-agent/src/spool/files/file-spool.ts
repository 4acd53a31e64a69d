/**
 * A spool in files: positions survive a restart, a crash and, except for the last seconds, a power cut.
 * In: a folder. Out: a `Spool`.
 */
import { checkNumber, checkOneOf } from '../../check-option.ts'
import { AgentError, toReason } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports.ts'
import { createBatch } from '../entry-window.ts'
import { sizesWithin } from '../sizes.ts'
import type { Spool } from '../spool.ts'
import { createAges } from './ages.ts'
import { createContents } from './contents.ts'
import { type Exposure, lockFolder } from './lock.ts'
import { recoverSegments, type SpoolRecovery } from './recover.ts'
import type { DiskCounters, SegmentContext } from './segment.ts'
import { createSegments } from './segments.ts'
import { createWriter } from './writer.ts'

export type { SpoolRecovery }

export interface FileSpoolOptions {
  /** Limit of the files, in bytes. A limit below 1 MiB counts the positions' JSON only. Default 256 MiB. */
  maxBytes?: number
  /**
   * Positions that have waited for longer are dropped, in ms: as long as the machine has run since, or, after it was
   * started again, by its clock. Default 7 days.
   */
  maxAgeMs?: number
  /**
   * - `file` (default): `report()` resolves after the position was written to the file. A killed process loses no
   *   position; a power cut loses at most those of the last `syncMs`.
   * - `memory-first`: while the service accepts positions, they stay in memory, and only those that wait for long are
   *   written, before `syncMs` is over; this spares SD cards. A killed process or a power cut loses at most the
   *   positions of the last `syncMs`, and never more than 10,000. Time in which the process could not run, or the disk
   *   took no write, adds to it; a slow `fsync` does not, because it runs beside the writes.
   *
   * While the service does not accept positions, both write at once (`report()` resolves after the write) and `fsync`
   * at most once a second. `close()` writes and syncs everything.
   */
  durability?: 'file' | 'memory-first'
  /**
   * Longest time between a write and the start of the `fsync` that makes it safe from a power cut, in ms. Default
   * 5_000.
   */
  syncMs?: number
  /**
   * What is dropped when the spool is full: the oldest positions, or every second position of each target, beginning
   * with the oldest, so that a long outage leaves a coarser track and no hole. Default `oldest`.
   */
  whenFull?: 'oldest' | 'thin-per-target'
  /** Receives `spool_unwritable` when the disk fails. Positions then stay in memory, at most `maxMemoryBytes`. */
  onAlarm?: (error: AgentError) => void
  /** Limit of the positions' JSON that is kept in memory while the disk cannot be written. Default 16 MiB. */
  maxMemoryBytes?: number
  clock?: Clock
}

export interface FileSpool extends Spool {
  /** What the start found. */
  readonly recovery: SpoolRecovery
  metrics(): FileSpoolMetrics
  close(): Promise<void>
}

export interface FileSpoolMetrics {
  /** Bytes of the files now. */
  diskBytes: number
  /** Bytes written since the start. */
  bytesWritten: number
  /** Calls of `fsync` since the start. */
  syncs: number
  /** Damaged positions that were skipped: at the start, and since. */
  damaged: number
  /** Sequence of the newest position that is in the files. */
  writtenThrough: number
  /** Whether the last write failed. */
  failing: boolean
}

const maxSegmentBytes = 1_024 * 1_024
// Below this, a limit of the files would be smaller than one request's positions.
const leastFileBytes = 1_024 * 1_024
/** Positions that are written and kept in memory, too, so that they need not be read back. */
const cacheBytes = 4 * 1_024 * 1_024

/**
 * Opens the folder, or creates it. Only one process can have it open. On a disk that is full or read-only, positions
 * stay in memory until it takes them, and `onAlarm` gets `spool_unwritable` at once.
 *
 * @throws AgentError `spool_in_use` when another process has it open; `spool_newer_format` when a newer version of this
 * package wrote it; nothing was changed then. `spool_unwritable` when the folder cannot be created or read for another
 * reason.
 * @example
 * ```ts
 * import { fileSpool } from '@posrep/sensor-agent/file-spool'
 *
 * // For `spool` of createAgent().
 * export const spool = await fileSpool('spool', { maxBytes: 100_000_000 })
 * ```
 */
export async function fileSpool(folder: string, options: FileSpoolOptions = {}): Promise<FileSpool> {
  const {
    maxBytes = 256 * 1_024 * 1_024,
    maxAgeMs = 7 * 24 * 3_600_000,
    durability = 'file',
    syncMs = 5_000,
    whenFull = 'oldest',
    onAlarm = () => undefined,
    maxMemoryBytes = 16 * 1_024 * 1_024,
    clock = systemClock,
  } = options
  checkNumber('maxBytes', maxBytes, 1)
  checkNumber('maxAgeMs', maxAgeMs, 1)
  checkNumber('syncMs', syncMs, 1)
  checkNumber('maxMemoryBytes', maxMemoryBytes, 1)
  checkOneOf('durability', durability, ['file', 'memory-first'])
  checkOneOf('whenFull', whenFull, ['oldest', 'thin-per-target'])

  const disk: DiskCounters = { bytesWritten: 0, syncs: 0 }
  const exposure = { ofKillMs: durability === 'file' ? 0 : syncMs, ofPowerCutMs: syncMs }
  const { lock, recovered, context } = await openFolder(folder, exposure, disk, clock)
  const fileBytes = Math.max(maxBytes, leastFileBytes)
  const segmentBytes = Math.min(maxSegmentBytes, fileBytes / 16)
  const contents = createContents(recovered)
  const { window } = contents
  const segments = createSegments(
    {
      folder,
      segments: recovered.segments,
      context,
      segmentBytes,
      maxBytes: fileBytes,
      maxAgeMs,
      thins: whenFull === 'thin-per-target',
    },
    contents,
  )
  await segments.expire()
  const { dropped: tooOld } = contents.report()
  const recovery = {
    entries: contents.onlyInFiles(),
    tooOld,
    cleanStop: lock.cleanStop,
    mayHaveLostMs: lock.mayHaveLostMs,
    damaged: recovered.damaged,
    tornBytes: recovered.tornBytes,
  }
  const writer = createWriter({
    window,
    segments,
    lock,
    clock,
    syncMs,
    maxWriteBytes: segmentBytes,
    writesAtOnce: durability === 'file',
    evict,
    onAlarm,
  })

  return {
    recovery,

    async append(positions, nowMs, elapsedMs = clock.elapsed()) {
      const sizes = sizesWithin(positions, maxBytes)
      for (const [index, json] of positions.entries()) window.push(json, sizes[index] ?? 0, nowMs, elapsedMs)
      await limit()
      await writer.appended()
      return contents.report()
    },

    async peek(maxCount, maxBytes, afterSequence = 0) {
      const batch = createBatch(maxCount, maxBytes)
      let sequence = afterSequence + 1
      while (contents.onlyInFiles() > 0 && sequence < window.firstSequence()) {
        const found = await segments.readFrom(sequence)
        for (const entry of found) if (!batch.add(entry)) return batch.entries
        const last = found.at(-1)
        if (!last) break
        sequence = last.sequence + 1
      }
      for (sequence = Math.max(sequence, window.firstSequence()); sequence < window.endSequence(); sequence += 1) {
        const entry = window.at(sequence)
        if (entry && !batch.add(entry)) break
      }
      return batch.entries
    },

    async remove(fromSequence, throughSequence) {
      let removed = 0
      let next = fromSequence
      while (contents.onlyInFiles() > 0 && next <= throughSequence && next < window.firstSequence()) {
        // Entries that leave the memory meanwhile are removed from the files in the next round.
        const through = Math.min(throughSequence, window.firstSequence() - 1)
        removed += await segments.remove(next, through)
        next = through + 1
      }
      const through = Math.min(throughSequence, window.endSequence() - 1)
      for (let sequence = Math.max(next, window.firstSequence()); sequence <= through; sequence += 1) {
        const entry = window.remove(sequence)
        if (!entry) continue
        segments.markGone(entry)
        removed += 1
      }
      writer.removed()
      return removed
    },

    counters: () => ({
      entries: contents.entries(),
      bytes: contents.bytes(),
      dropped: contents.dropped(),
      lastSequence: window.endSequence() - 1,
    }),
    metrics: () => ({
      diskBytes: segments.diskBytes(),
      ...disk,
      damaged: contents.damaged(),
      ...writer.state(),
    }),
    setOnline: writer.setOnline,

    async close() {
      try {
        await writer.close()
      } finally {
        await lock.release()
      }
    },
  }

  async function limit(): Promise<void> {
    while (contents.bytes() > maxBytes && (await dropOldest())) {}
    evict()
    const { failing, writtenThrough } = writer.state()
    for (let oldest = window.oldest(); oldest && failing && window.bytes() > maxMemoryBytes; oldest = window.oldest()) {
      if (oldest.sequence <= writtenThrough) contents.leaveMemory(oldest, !segments.isGone(oldest.sequence))
      else contents.drop(oldest.sequence, oldest.bytes, 'diskFailing')
    }
  }

  /** False if there is none that can be read. */
  async function dropOldest(): Promise<boolean> {
    // The next read of the courier tells why they cannot be read.
    const [inFiles] = contents.onlyInFiles() > 0 ? await segments.readFrom(0).catch(() => []) : []
    const oldest = inFiles ?? window.oldest()
    if (!oldest) return false
    // It may have been removed in the meantime.
    if (inFiles && segments.isGone(inFiles.sequence)) return true
    segments.markGone(oldest)
    contents.drop(oldest.sequence, oldest.bytes, 'full')
    return true
  }

  /** Written entries leave the memory when it has enough of them; most were delivered before. */
  function evict(): void {
    const written = writer.state().writtenThrough
    for (let entry = window.oldest(); entry && window.bytes() > cacheBytes; entry = window.oldest()) {
      if (entry.sequence > written) return
      contents.leaveMemory(entry, !segments.isGone(entry.sequence))
    }
  }
}

async function openFolder(folder: string, exposure: Exposure, counters: DiskCounters, clock: Clock) {
  try {
    const lock = await lockFolder(folder, exposure)
    try {
      const context: SegmentContext = { counters, ages: createAges(lock.boot, clock) }
      return { lock, context, recovered: await recoverSegments(folder, context, lock.cleanStop) }
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (cause) {
    if (cause instanceof AgentError) throw cause
    throw new AgentError('spool_unwritable', `The spool folder "${folder}" cannot be opened: ${toReason(cause)}`, {
      cause,
    })
  }
}
