/** What the worker does for `ReportLog` and `DeliveryLog`; each call is one step of a transaction. */
import type { EntryText } from '../../../ports/entry-text.ts'
import type { BuriedEntry, LogDepth, LogEntry } from '../../../ports/log.ts'
import type { Database } from '../thread/database.ts'
import type { EntrySeqs, LogName, WaitingColumns } from './entry-seqs.ts'

export function logStatements({ sql }: Database, entrySeqs: EntrySeqs) {
  function insert(log: LogName, line: string, body: EntryText, seq: number, nowMs: number): void {
    sql(`INSERT INTO ${log}_waiting (seq, line, appended_at) VALUES (?, ?, ?)`).run(seq, line, nowMs)
    sql(`INSERT INTO ${log}_body (seq, body) VALUES (?, CAST(? AS TEXT))`).run(seq, body)
  }
  /** Unless it is still shown as a recent report. */
  function deleteBody(log: LogName, seq: number): void {
    const unless = log === 'report' ? 'AND NOT EXISTS (SELECT 1 FROM recent WHERE seq = ?1 AND report IS NULL)' : ''
    sql(`DELETE FROM ${log}_body WHERE seq = ?1 ${unless}`).run(seq)
  }
  function toReadBody(log: LogName): (seq: number) => string | undefined {
    const statement = sql(`SELECT body FROM ${log}_body WHERE seq = ?`)
    // An object per row would cost as much as reading it.
    statement.setReturnArrays(true)
    return (seq) => {
      const row = statement.get(seq)
      return row && String(row[0])
    }
  }
  return {
    /** Answers the seq of the first entry; the others follow it. */
    'log.append'(log: LogName, lines: string[], bodies: EntryText[], nowMs: number): number {
      const first = entrySeqs.take(log, lines.length)
      for (const [index, line] of lines.entries()) insert(log, line, bodies[index] ?? '', first + index, nowMs)
      return first
    },
    'log.remove'(log: LogName, seqs: number[]): void {
      // Entries of several devices are removed together; in the order of the table each page is visited once.
      const inOrder = seqs.toSorted((a, b) => a - b)
      for (const seq of inOrder) sql(`DELETE FROM ${log}_waiting WHERE seq = ?`).run(seq)
      for (const seq of inOrder) deleteBody(log, seq)
    },
    'log.bury'(log: LogName, seqs: number[], reasons: string[], nowMs: number): void {
      for (const [index, seq] of seqs.entries()) {
        sql(
          `INSERT INTO ${log}_buried (seq, line, appended_at, reason, buried_at) SELECT seq, line, appended_at, ?, ? FROM ${log}_waiting WHERE seq = ?`,
        ).run(reasons[index] ?? '', nowMs, seq)
        sql(`DELETE FROM ${log}_waiting WHERE seq = ?`).run(seq)
      }
    },
    /** Bodies of several devices, in order; at least one of each, and no more after `budget` characters in all. */
    'log.read'(log: LogName, lines: number[][], budget: number): (string | undefined)[][] {
      const readBody = toReadBody(log)
      let left = budget
      return lines.map((seqs) => {
        const bodies: (string | undefined)[] = []
        for (const seq of seqs) {
          if (bodies.length > 0 && left <= 0) break
          const found = readBody(seq)
          left -= found?.length ?? 0
          bodies.push(found)
        }
        return bodies
      })
    },
    /** What waited when the database was opened, or restored. */
    'log.load'(log: LogName, afterSeq: number, limit: number): WaitingColumns {
      const seqs: number[] = []
      const lines: string[] = []
      const times: number[] = []
      const statement = sql(
        `SELECT seq, line, appended_at AS time FROM ${log}_waiting WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
      )
      for (const { seq, line, time } of statement.all(afterSeq, entrySeqs.loadUntil(log), limit)) {
        seqs.push(Number(seq))
        lines.push(String(line))
        times.push(Number(time))
      }
      return { seqs, lines, times }
    },
    'log.countBuried'(log: LogName): { line: string; buried: number }[] {
      return sql(`SELECT line, count(*) AS buried FROM ${log}_buried GROUP BY line`)
        .all()
        .map((row) => ({ line: String(row.line), buried: Number(row.buried) }))
    },
    /** For tools; the server knows it without asking. */
    'log.depth'(log: LogName, line: string | undefined): LogDepth {
      const of = line === undefined ? '' : 'WHERE line = ?'
      const args = line === undefined ? [] : [line]
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
    'log.list'(log: LogName, line: string, afterSeq: number, limit: number): LogEntry[] {
      return sql(
        `SELECT seq, appended_at, body FROM ${log}_waiting JOIN ${log}_body USING (seq) WHERE line = ? AND seq > ? ORDER BY seq LIMIT ?`,
      )
        .all(line, afterSeq, limit)
        .map(toEntry)
    },
    'log.entries'(log: LogName, seqs: number[]): LogEntry[] {
      return seqs.flatMap((seq) => {
        const row = sql(
          `SELECT seq, appended_at, body FROM ${log}_waiting JOIN ${log}_body USING (seq) WHERE seq = ?`,
        ).get(seq)
        return row ? [toEntry(row)] : []
      })
    },
    'log.listBuried'(log: LogName, line: string | undefined, afterSeq: number, limit: number): BuriedEntry[] {
      const of = line === undefined ? '' : 'line = ? AND'
      const args = line === undefined ? [] : [line]
      return sql(`SELECT * FROM ${log}_buried JOIN ${log}_body USING (seq) WHERE ${of} seq > ? ORDER BY seq LIMIT ?`)
        .all(...args, afterSeq, limit)
        .map((row) => ({
          ...toEntry(row),
          line: String(row.line),
          reason: String(row.reason),
          buriedAtMs: Number(row.buried_at),
        }))
    },
    'log.unbury'(log: LogName, seqs: number[], nowMs: number): WaitingColumns {
      const readBody = toReadBody(log)
      const put: WaitingColumns = { seqs: [], lines: [], times: [] }
      for (const seq of [...new Set(seqs)].sort((a, b) => a - b)) {
        const row = sql(`DELETE FROM ${log}_buried WHERE seq = ? RETURNING line`).get(seq)
        if (!row) continue
        const line = String(row.line)
        const newSeq = entrySeqs.take(log, 1)
        insert(log, line, readBody(seq) ?? '', newSeq, nowMs)
        deleteBody(log, seq)
        put.seqs.push(newSeq)
        put.lines.push(line)
        put.times.push(nowMs)
      }
      return put
    },
    'log.forgetBuried'(log: LogName, beforeMs: number): number {
      const rows = sql(`DELETE FROM ${log}_buried WHERE buried_at < ? RETURNING seq`).all(beforeMs)
      for (const row of rows) deleteBody(log, Number(row.seq))
      return rows.length
    },
  }
}

function toEntry(row: Record<string, unknown>): LogEntry {
  return { seq: Number(row.seq), appendedAtMs: Number(row.appended_at), body: String(row.body) }
}
