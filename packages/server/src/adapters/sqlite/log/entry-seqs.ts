/**
 * Gives each entry of a log its seq, and notices what other processes write: the command line, a restored backup.
 * In: the database, in its thread. Out: seqs that rise and are never given again, also after a crash; and, once per change
 * of another process, what it changed.
 * A block of seqs is reserved at a time, so that an append writes no counter. Another process reserves the block behind
 * it; this process notices that and continues behind the other block, so that seqs rise in the order of appending.
 */
import type { Database } from '../thread/database.ts'

export type LogName = 'report' | 'delivery'

/** Entries, column by column: an object for each would cost more on its way between threads. */
export interface WaitingColumns {
  seqs: number[]
  lines: string[]
  times: number[]
}

/** What another process changed. */
export interface ForeignChange {
  /** The whole database was replaced by a backup. */
  restored: boolean
  /** Appended entries. */
  report: WaitingColumns
  delivery: WaitingColumns
}

export interface EntrySeqs {
  /** Reserves `count` seqs, and answers the first. */
  take(log: LogName, count: number): number
  /** The last seq that existed when this process opened the log, or when the log was restored. */
  loadUntil(log: LogName): number
  /** Whether another process has written since `takeChange` was last called. */
  isChanged(): boolean
  /** Inside of a transaction, so that no other change comes in between. */
  takeChange(): ForeignChange
}

interface Block {
  next: number
  reserved: number
}

const blockSeqs = 1_024

export function createEntrySeqs({ sql, afterwards }: Database): EntrySeqs {
  const logs = ['report', 'delivery'] as const
  // Read before the rest, so that a change in between is noticed later.
  let version = dataVersion()
  let restores = restoredTimes()
  const blocks: Partial<Record<LogName, Block>> = {}
  /** The highest seq that this process gave, or has read. */
  const known = { report: reserved('report'), delivery: reserved('delivery') }
  const loadUntil = { ...known }

  function reserved(log: LogName): number {
    return Number(sql('SELECT reserved FROM log_seq WHERE log = ?').get(log)?.reserved)
  }

  /** Changes with each commit of another connection, not with our own. */
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
    const rows = sql(`SELECT seq, line, appended_at FROM ${log}_waiting WHERE seq > ? ORDER BY seq`).all(known[log])
    delete blocks[log]
    known[log] = Math.max(known[log], reserved(log))
    return {
      seqs: rows.map((row) => Number(row.seq)),
      lines: rows.map((row) => String(row.line)),
      times: rows.map((row) => Number(row.appended_at)),
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
      // After a rollback another process may give the same seqs.
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
      const change: ForeignChange = { restored, report: readNew('report'), delivery: readNew('delivery') }
      if (restored) for (const log of logs) loadUntil[log] = known[log]
      // Last, so that a failure half-way is repeated.
      version = dataVersion()
      return change
    },
  }
}
