/**
 * Gives each entry of a log its place, and notices what other processes put there: the command line, a restored backup.
 * In: the database, in its thread. Out: places that rise and are never given again, also after a crash, and once per
 * change of another process what it brought.
 * A place is reserved for many entries at once, so that an append writes no counter. Whoever else writes reserves behind
 * that; seeing this, we go on behind them, so that within a line places rise in the order of appending.
 */
import type { Database } from './database.ts'
import type { LogName, WaitingColumns } from './statements/log.ts'

export interface News {
  /** All of the database was put in the place of what there was. */
  restored: boolean
  /** What others appended. */
  report: WaitingColumns
  delivery: WaitingColumns
}

export interface Places {
  /** Returns the first of `count` places. */
  take(log: LogName, count: number): number
  /** What was there when this process opened the log, or when it was restored: up to here. */
  loadUntil(log: LogName): number
  /** Whether another process has written since `news` was last asked. */
  isChanged(): boolean
  /** What it brought; inside of a transaction, or another change may fall between. */
  news(): News
}

interface Block {
  next: number
  reserved: number
}

const blockPlaces = 1_024

export function createPlaces({ sql, afterwards }: Database): Places {
  const logs = ['report', 'delivery'] as const
  // Before what it speaks of, so that nothing falls between.
  let version = dataVersion()
  let restores = restoredTimes()
  const blocks: Partial<Record<LogName, Block>> = {}
  /** The highest place that we know what became of. */
  const known = { report: reserved('report'), delivery: reserved('delivery') }
  const loadUntil = { ...known }

  function reserved(log: LogName): number {
    return Number(sql('SELECT reserved FROM place WHERE log = ?').get(log)?.reserved)
  }

  /** Changes with every commit of another connection, not with our own. */
  function dataVersion(): number {
    return Number(sql('PRAGMA data_version').get()?.data_version)
  }

  function restoredTimes(): number {
    return Number(sql('SELECT times FROM restored').get()?.times)
  }

  function reserve(log: LogName, count: number): Block {
    const row = sql('UPDATE place SET reserved = reserved + ? WHERE log = ? RETURNING reserved').get(
      count + blockPlaces,
      log,
    )
    const end = Number(row?.reserved)
    return (blocks[log] = { next: end - count - blockPlaces + 1, reserved: end })
  }

  function broughtTo(log: LogName): WaitingColumns {
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
      // What was undone may be given again by others, and then they are who gave it.
      const undo = () => {
        delete blocks[log]
        known[log] = Math.min(known[log], before)
      }
      afterwards({ undo })
      return first
    },
    loadUntil: (log) => loadUntil[log],
    isChanged: () => dataVersion() !== version,
    news() {
      const times = restoredTimes()
      const restored = times !== restores
      restores = times
      const news: News = { restored, report: broughtTo('report'), delivery: broughtTo('delivery') }
      if (restored) for (const log of logs) loadUntil[log] = known[log]
      // Last: what failed half-way is looked at again.
      version = dataVersion()
      return news
    },
  }
}
