/** The statements that the worker runs for `ReportLog` and `DeliveryLog`. Each call is one step of a transaction. */
import { bytesOf, type EntryText } from '../../../ports/storage/entry-text.ts'
import {
  type BuriedEntry,
  buriedPortion,
  clientOf,
  fullLeaseSize,
  type LogDepth,
  type LogEntry,
  type LogName,
  listPageBytes,
} from '../../../ports/storage/log.ts'
import type { BuriedCount } from '../../queues/buried-counts.ts'
import type { Database } from '../database/database.ts'
import type { EntrySeqs, WaitingColumns } from './entry-seqs.ts'

export function logStatements({ sql }: Database, entrySeqs: EntrySeqs) {
  function insert(log: LogName, queue: string, body: EntryText, seq: number, nowMs: number): void {
    sql(`INSERT INTO ${log}_waiting (seq, queue, appended_at, bytes) VALUES (?, ?, ?, ?)`).run(
      seq,
      queue,
      nowMs,
      bytesOf(body),
    )
    sql(`INSERT INTO ${log}_body (seq, body) VALUES (?, CAST(? AS TEXT))`).run(seq, body)
  }
  /** Deletes the body, unless a recent report still uses it. */
  function deleteBody(log: LogName, seq: number): void {
    const unless = log === 'report' ? 'AND NOT EXISTS (SELECT 1 FROM recent WHERE seq = ?1 AND report IS NULL)' : ''
    sql(`DELETE FROM ${log}_body WHERE seq = ?1 ${unless}`).run(seq)
  }
  function toReadBody(log: LogName): (seq: number) => string | undefined {
    const statement = sql(`SELECT body FROM ${log}_body WHERE seq = ?`)
    // Building an object per row would take as long as reading the row.
    statement.setReturnArrays(true)
    return (seq) => {
      const row = statement.get(seq)
      return row && String(row[0])
    }
  }
  /**
   * Of one queue, the entries that were appended before the time; of all queues, those that were buried before it.
   * Stops at the first entry that was appended after the time. Append times increase with the seq, so no later one was
   * buried before it, and the table is not read to its end whenever nothing is old.
   */
  function findBuriedBefore(
    log: LogName,
    beforeMs: number,
    ofQueue: string | undefined,
  ): { seq: number; queue: string; bytes: number }[] {
    const columns = 'seq, queue, bytes, appended_at, buried_at'
    const rows =
      ofQueue === undefined
        ? sql(`SELECT ${columns} FROM ${log}_buried ORDER BY seq`).iterate()
        : sql(`SELECT ${columns} FROM ${log}_buried WHERE queue = ? ORDER BY seq`).iterate(ofQueue)
    const found: { seq: number; queue: string; bytes: number }[] = []
    let left = buriedPortion.bytes
    for (const row of rows) {
      if (Number(row.appended_at) >= beforeMs || found.length === buriedPortion.entries || left <= 0) break
      if (ofQueue === undefined && Number(row.buried_at) >= beforeMs) continue
      found.push({ seq: Number(row.seq), queue: String(row.queue), bytes: Number(row.bytes) })
      left -= Number(row.bytes)
    }
    return found
  }
  return {
    /** Returns the seq of the first entry; the other seqs follow without a gap. */
    'log.append'(log: LogName, queues: string[], bodies: EntryText[], nowMs: number): number {
      const first = entrySeqs.take(log, queues.length)
      for (const [index, queue] of queues.entries()) insert(log, queue, bodies[index] ?? '', first + index, nowMs)
      return first
    },
    'log.remove'(log: LogName, seqs: number[]): void {
      // Entries of several devices are removed together. In the order of the table, each page is visited once.
      const inOrder = seqs.toSorted((a, b) => a - b)
      for (const seq of inOrder) sql(`DELETE FROM ${log}_waiting WHERE seq = ?`).run(seq)
      for (const seq of inOrder) deleteBody(log, seq)
    },
    /** Returns the size of each entry. */
    'log.bury'(log: LogName, seqs: number[], reasons: string[], nowMs: number): number[] {
      return seqs.flatMap((seq, index) => {
        const row = sql(
          `INSERT INTO ${log}_buried (seq, queue, appended_at, bytes, reason, buried_at) SELECT seq, queue, appended_at, bytes, ?, ? FROM ${log}_waiting WHERE seq = ? RETURNING bytes`,
        ).get(reasons[index] ?? '', nowMs, seq)
        sql(`DELETE FROM ${log}_waiting WHERE seq = ?`).run(seq)
        return row ? Number(row.bytes) : []
      })
    },
    /**
     * Reads the bodies of several queues, in order: no more of a queue that fills a lease, and none after `budget`
     * characters.
     */
    'log.read'(log: LogName, queues: number[][], budget: number): (string | undefined)[][] {
      const readBody = toReadBody(log)
      let left = budget
      return queues.map((seqs) => {
        const bodies: (string | undefined)[] = []
        let size = 0
        for (const seq of seqs) {
          if (left <= 0 || size >= fullLeaseSize) break
          const found = readBody(seq)
          left -= found?.length ?? 0
          size += found?.length ?? 0
          bodies.push(found)
        }
        return bodies
      })
    },
    /** Returns a page of the entries that waited when the database was opened or restored. */
    'log.load'(log: LogName, afterSeq: number, limit: number): WaitingColumns {
      const seqs: number[] = []
      const queues: string[] = []
      const times: number[] = []
      const sizes: number[] = []
      const statement = sql(
        `SELECT seq, queue, appended_at AS time, bytes FROM ${log}_waiting WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
      )
      for (const { seq, queue, time, bytes } of statement.all(afterSeq, entrySeqs.loadUntil(log), limit)) {
        seqs.push(Number(seq))
        queues.push(String(queue))
        times.push(Number(time))
        sizes.push(Number(bytes))
      }
      return { seqs, queues, times, sizes }
    },
    'log.countBuried'(log: LogName): BuriedCount[] {
      return sql(`SELECT queue, count(*) AS buried, sum(bytes) AS bytes FROM ${log}_buried GROUP BY queue`)
        .all()
        .map((row) => ({ queue: String(row.queue), buried: Number(row.buried), bytes: Number(row.bytes) }))
    },
    /** Deletes the oldest buried entries of a queue until this many bytes are deleted. */
    'log.dropBuried'(log: LogName, queue: string, bytes: number): { entries: number; bytes: number } {
      const dropped = { entries: 0, bytes: 0 }
      const oldest = sql(`SELECT seq, bytes FROM ${log}_buried WHERE queue = ? ORDER BY seq LIMIT 1`)
      while (dropped.bytes < bytes) {
        const row = oldest.get(queue)
        if (!row) break
        sql(`DELETE FROM ${log}_buried WHERE seq = ?`).run(Number(row.seq))
        deleteBody(log, Number(row.seq))
        dropped.entries++
        dropped.bytes += Number(row.bytes)
      }
      return dropped
    },
    /** For tools; the server has these numbers in memory. */
    'log.depth'(log: LogName, queue: string | undefined): LogDepth {
      const of = queue === undefined ? '' : 'WHERE queue = ?'
      const args = queue === undefined ? [] : [queue]
      const row = sql(
        `SELECT count(*) AS waiting, min(appended_at) AS oldest, (SELECT count(*) FROM ${log}_buried ${of}) AS buried FROM ${log}_waiting ${of}`,
      ).get(...args, ...args)
      const oldest = row?.oldest
      return {
        waiting: Number(row?.waiting),
        buried: Number(row?.buried),
        oldestAppendedAtMs: typeof oldest === 'number' ? oldest : null,
      }
    },
    /** For tools; the server has this number in memory. */
    'log.bytesOfClient'(log: LogName, queue: string): number {
      const rows = sql(
        `SELECT queue, bytes FROM ${log}_waiting UNION ALL SELECT queue, bytes FROM ${log}_buried`,
      ).iterate()
      let bytes = 0
      for (const row of rows) if (clientOf(String(row.queue)) === clientOf(queue)) bytes += Number(row.bytes)
      return bytes
    },
    /**
     * For tools; the server has the seqs in memory. Returns a page: the first entries, until `listPageBytes` are read.
     */
    'log.list'(log: LogName, queue: string, afterSeq: number, limit: number, characters: number): LogEntry[] {
      const rows = sql(
        `SELECT seq, appended_at, ${beginning} FROM ${log}_waiting JOIN ${log}_body USING (seq) WHERE queue = ?2 AND seq > ?3 ORDER BY seq LIMIT ?4`,
      ).iterate(characters, queue, afterSeq, limit)
      return takePage(rows, toEntry)
    },
    /** Returns a page: the first of these entries, until `listPageBytes` are read. */
    'log.entries'(log: LogName, seqs: number[], characters: number): LogEntry[] {
      const statement = sql(
        `SELECT seq, appended_at, ${beginning} FROM ${log}_waiting JOIN ${log}_body USING (seq) WHERE seq = ?2`,
      )
      function* rows(): Iterable<Row> {
        for (const seq of seqs) {
          const row = statement.get(characters, seq)
          if (row) yield row
        }
      }
      return takePage(rows(), toEntry)
    },
    /** Returns a page: the first entries, until `listPageBytes` are read. */
    'log.listBuried'(
      log: LogName,
      queue: string | undefined,
      afterSeq: number,
      limit: number,
      characters: number,
    ): BuriedEntry[] {
      const of = queue === undefined ? '' : 'queue = ?4 AND'
      const args = queue === undefined ? [] : [queue]
      const rows = sql(
        `SELECT seq, queue, appended_at, reason, buried_at, ${beginning} FROM ${log}_buried JOIN ${log}_body USING (seq) WHERE ${of} seq > ?2 ORDER BY seq LIMIT ?3`,
      ).iterate(characters, afterSeq, limit, ...args)
      return takePage(rows, (row) => ({
        ...toEntry(row),
        queue: String(row.queue),
        reason: String(row.reason),
        buriedAtMs: Number(row.buried_at),
      }))
    },
    'log.oldestBuried'(log: LogName, queue: string, limit: number): number[] {
      return sql(`SELECT seq FROM ${log}_buried WHERE queue = ? ORDER BY seq LIMIT ?`)
        .all(queue, limit)
        .map(({ seq }) => Number(seq))
    },
    /** Unburies a portion: the first of these entries. `done` is the number of seqs that were looked up. */
    'log.unbury'(log: LogName, seqs: number[], nowMs: number): { appended: WaitingColumns; done: number } {
      const readBody = toReadBody(log)
      const appended: WaitingColumns = { seqs: [], queues: [], times: [], sizes: [] }
      let done = 0
      for (let bytes = 0; done < Math.min(seqs.length, buriedPortion.entries) && bytes < buriedPortion.bytes; ) {
        const seq = seqs[done++] ?? 0
        const row = sql(`DELETE FROM ${log}_buried WHERE seq = ? RETURNING queue, bytes`).get(seq)
        if (!row) continue
        bytes += Number(row.bytes)
        const queue = String(row.queue)
        const newSeq = entrySeqs.take(log, 1)
        insert(log, queue, readBody(seq) ?? '', newSeq, nowMs)
        deleteBody(log, seq)
        appended.seqs.push(newSeq)
        appended.queues.push(queue)
        appended.times.push(nowMs)
        appended.sizes.push(Number(row.bytes))
      }
      return { appended, done }
    },
    /**
     * Deletes a portion of the entries of `findBuriedBefore`. Returns the deleted ones; none when there are no more.
     */
    'log.forgetBuried'(log: LogName, beforeMs: number, ofQueue: string | undefined): BuriedCount[] {
      const old = findBuriedBefore(log, beforeMs, ofQueue)
      for (const { seq } of old) {
        sql(`DELETE FROM ${log}_buried WHERE seq = ?`).run(seq)
        deleteBody(log, seq)
      }
      return old.map(({ queue, bytes }) => ({ queue, buried: 1, bytes }))
    },
  }
}

/** SQLite reads a whole body even for its beginning, so `bytes` counts the whole body. */
const beginning = 'substr(body, 1, ?1) AS body, octet_length(body) AS bytes'

function takePage<T>(rows: Iterable<Row>, toItem: (row: Row) => T): T[] {
  const items: T[] = []
  let room = listPageBytes
  for (const row of rows) {
    items.push(toItem(row))
    room -= Number(row.bytes)
    if (room <= 0) break
  }
  return items
}

type Row = Record<string, unknown>

function toEntry(row: Record<string, unknown>): LogEntry {
  return { seq: Number(row.seq), appendedAtMs: Number(row.appended_at), body: String(row.body) }
}
