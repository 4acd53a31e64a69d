/**
 * Assigns a seq to each entry of a log, and detects writes by other processes: by a command or a restore.
 * In: the database, in its thread. Out: seqs that increase and are never reused, even after a crash; and each change of
 * another process, once.
 * Seqs are reserved in blocks, so that an append need not write a counter. If another process reserves the next block,
 * this one notices and continues after it, so that seqs increase in the order of the appends.
 */
import { type LogName, logNames } from '../../../ports/storage/log.ts'
import type { Database } from '../database/database.ts'

/** Entries as columns: an object per entry would be slower to send between threads. */
export interface WaitingColumns {
  seqs: number[]
  queues: string[]
  times: number[]
  /** The size of each body, in bytes. */
  sizes: number[]
}

/** A change by another process. */
export interface ForeignChange {
  /** The whole database was replaced by a backup. */
  restored: boolean
  appended: Record<LogName, WaitingColumns>
}

export interface EntrySeqs {
  /** Reserves `count` seqs and returns the first one. */
  take(log: LogName, count: number): number
  /** The last seq at the time when this process opened the log, or when the log was restored. */
  loadUntil(log: LogName): number
  /** Whether another process has written since `takeChange` was last called. */
  isChanged(): boolean
  /** Must be called in a transaction, so that no other change intervenes. */
  takeChange(): ForeignChange
}

interface Block {
  next: number
  reserved: number
}

const blockSeqs = 1_024

export function createEntrySeqs({ sql, afterwards }: Database): EntrySeqs {
  // Read first, so that a change during the following reads is detected later.
  let version = dataVersion()
  let restores = restoredTimes()
  const blocks: Partial<Record<LogName, Block>> = {}
  /** The highest seq that this process has assigned or read. */
  const known = ofEachLog(reserved)
  const loadUntil = { ...known }

  function reserved(log: LogName): number {
    return Number(sql('SELECT reserved FROM log_seq WHERE log = ?').get(log)?.reserved)
  }

  /** A number that changes with each commit of another connection, and not with those of this connection. */
  function dataVersion(): number {
    return Number(sql('PRAGMA data_version').get()?.data_version)
  }

  function restoredTimes(): number {
    return Number(sql('SELECT times FROM restored').get()?.times)
  }

  function reserve(log: LogName, count: number): Block {
    const row = sql('UPDATE log_seq SET reserved = reserved + ? WHERE log = ? RETURNING reserved').get(
      count + blockSeqs,
      log,
    )
    const end = Number(row?.reserved)
    return (blocks[log] = { next: end - count - blockSeqs + 1, reserved: end })
  }

  function readNew(log: LogName): WaitingColumns {
    const rows = sql(`SELECT seq, queue, appended_at, bytes FROM ${log}_waiting WHERE seq > ? ORDER BY seq`).all(
      known[log],
    )
    delete blocks[log]
    known[log] = Math.max(known[log], reserved(log))
    return {
      seqs: rows.map((row) => Number(row.seq)),
      queues: rows.map((row) => String(row.queue)),
      times: rows.map((row) => Number(row.appended_at)),
      sizes: rows.map((row) => Number(row.bytes)),
    }
  }

  return {
    take(log, count) {
      const before = known[log]
      let block = blocks[log]
      if (!block || block.next + count - 1 > block.reserved) block = reserve(log, count)
      const first = block.next
      block.next += count
      known[log] = block.next - 1
      // After a rollback another process may assign the same seqs.
      const undo = () => {
        delete blocks[log]
        known[log] = Math.min(known[log], before)
      }
      afterwards({ undo })
      return first
    },
    loadUntil: (log) => loadUntil[log],
    isChanged: () => dataVersion() !== version,
    takeChange() {
      const times = restoredTimes()
      const restored = times !== restores
      restores = times
      const change: ForeignChange = { restored, appended: ofEachLog(readNew) }
      if (restored) for (const log of logNames) loadUntil[log] = known[log]
      // Set last, so that after a failure before this point the change is read again.
      version = dataVersion()
      return change
    },
  }
}

function ofEachLog<T>(read: (log: LogName) => T): Record<LogName, T> {
  // `fromEntries` does not keep the names in its type.
  return Object.fromEntries(logNames.map((log) => [log, read(log)])) as Record<LogName, T>
}
