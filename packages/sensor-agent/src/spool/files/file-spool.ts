/**
 * A spool in files: positions survive a restart, a crash and, but for the last seconds, a power cut.
 * In: a folder. Out: a `Spool`.
 */
import type { AgentError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import type { Spool } from '../spool.ts'

export interface FileSpoolOptions {
  /** Limit of the files, in bytes. A limit below 1 MiB counts the positions' JSON only. Default 256 MiB. */
  maxBytes?: number
  /** Positions older than this are dropped, in ms. Default 7 days. */
  maxAgeMs?: number
  /**
   * - `file` (default): `report()` resolves after the position was written to the file. A killed process loses no position; a power
   *   cut loses at most those of the last `syncMs`.
   * - `memory-first`: while the service accepts positions, they stay in memory, and only those that wait longer than `syncMs` are
   *   written; this spares SD cards. A killed process or a power cut loses at most the positions of the last `syncMs`.
   *
   * Both write to the disk at once (at most once a second) while the service does not accept positions, and at `close()`.
   */
  durability?: 'file' | 'memory-first'
  /** Longest time between a write and the `fsync` that makes it safe from a power cut, in ms. Default 5_000. */
  syncMs?: number
  /**
   * What is dropped when the spool is full: the oldest positions, or every second position of each target, beginning with the oldest,
   * so that a long outage leaves a coarser track and no hole. Default `oldest`.
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

export interface SpoolRecovery {
  /** Positions that were found and will be sent. */
  entries: number
  /**
   * False if the process before this one was killed, or its machine lost power. With `memory-first`, and after a power cut, the
   * positions of its last `syncMs` may be lost.
   */
  cleanStop: boolean
  /** Damaged positions in the middle of the files, which were skipped. */
  damaged: number
  /** Bytes that were cut from the end of the files: a write that did not finish. */
  tornBytes: number
}

export interface FileSpoolMetrics {
  /** Bytes of the files now. */
  diskBytes: number
  /** Bytes written since the start. */
  bytesWritten: number
  /** Calls of `fsync` since the start. */
  syncs: number
  /** Positions that are only in memory. */
  unwritten: number
  /** Whether the last write failed. */
  failing: boolean
}

/**
 * Opens the folder, or creates it. Only one process can have it open.
 *
 * @throws AgentError `spool_in_use` when another process has it open; `spool_newer_format` when a newer version of this package
 * wrote it; nothing was changed then. `spool_unwritable` when the folder cannot be created or read.
 */
export async function fileSpool(_folder: string, _options: FileSpoolOptions = {}): Promise<FileSpool> {
  throw new Error('fileSpool() is written next; this commit has its interface')
}
