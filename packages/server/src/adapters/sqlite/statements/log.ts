/** What the worker does for `ReportLog` and `DeliveryLog`; each call is one step of a transaction. */
import type { BuriedEntry, Lease, LogDepth, LogEntry, Settlement } from '../../../ports/log.ts'
import type { Database } from '../database.ts'

export type LogName = 'report' | 'delivery'

export function logStatements({ sql }: Database) {
  function nextFence(log: LogName): number {
    return Number(sql('UPDATE fence SET value = value + 1 WHERE log = ? RETURNING value').get(log)?.value)
  }
  function head(log: LogName, line: string, entries: number): LogEntry[] {
    return sql(`SELECT seq, appended_at, body FROM ${log}_entry WHERE line = ? ORDER BY seq LIMIT ?`)
      .all(line, entries)
      .map(toEntry)
  }
  function append(log: LogName, line: string, body: string, nowMs: number): void {
    sql(`INSERT INTO ${log}_entry (line, appended_at, body) VALUES (?, ?, ?)`).run(line, nowMs, body)
    sql(`INSERT INTO ${log}_line (line, fence, ready_at) VALUES (?, 0, ?) ON CONFLICT DO NOTHING`).run(line, nowMs)
  }
  return {
    'log.append'(log: LogName, entries: { line: string; body: string }[], nowMs: number, perLine?: number): number {
      for (const { line, body } of entries) append(log, line, body, nowMs)
      let dropped = 0
      for (const line of perLine === undefined ? [] : new Set(entries.map((entry) => entry.line))) {
        const { changes } = sql(
          `DELETE FROM ${log}_entry WHERE line = ?1 AND seq <= (SELECT seq FROM ${log}_entry WHERE line = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
        ).run(line, Number(perLine))
        dropped += Number(changes)
      }
      return dropped
    },
    'log.lease'(log: LogName, options: { lines: number; entries: number; leaseMs: number }, nowMs: number): Lease[] {
      const ready = sql(`SELECT line FROM ${log}_line WHERE ready_at <= ? ORDER BY ready_at LIMIT ?`).all(
        nowMs,
        options.lines,
      )
      return ready.map((row) => {
        const line = String(row.line)
        const fence = nextFence(log)
        sql(`UPDATE ${log}_line SET fence = ?, ready_at = ?, woken = 0 WHERE line = ?`).run(
          fence,
          nowMs + options.leaseMs,
          line,
        )
        return { line, fence, entries: head(log, line, options.entries) }
      })
    },
    'log.settle'(
      log: LogName,
      { line, fence }: Pick<Lease, 'line' | 'fence'>,
      { accepted, buried = [], holdUntilMs }: Settlement,
      nowMs: number,
    ): boolean {
      if (Number(sql(`SELECT fence FROM ${log}_line WHERE line = ?`).get(line)?.fence) !== fence) return false
      for (const { seq, reason } of buried) {
        sql(
          `INSERT INTO ${log}_buried (seq, line, appended_at, body, reason, buried_at) SELECT seq, line, appended_at, body, ?, ? FROM ${log}_entry WHERE seq = ?`,
        ).run(reason, nowMs, seq)
      }
      for (const seq of [...accepted, ...buried.map((entry) => entry.seq)]) {
        sql(`DELETE FROM ${log}_entry WHERE seq = ? AND line = ?`).run(seq, line)
      }
      if (head(log, line, 1).length === 0) sql(`DELETE FROM ${log}_line WHERE line = ?`).run(line)
      else {
        sql(`UPDATE ${log}_line SET fence = 0, ready_at = iif(woken, 0, ?) WHERE line = ?`).run(
          holdUntilMs ?? nowMs,
          line,
        )
      }
      return true
    },
    'log.wake'(log: LogName, line: string): void {
      // A held line (fence above 0) is its holder's until that settles it.
      sql(`UPDATE ${log}_line SET woken = 1, ready_at = iif(fence = 0, 0, ready_at) WHERE line = ?`).run(line)
    },
    /** Nobody holds a line any more: who did has died. */
    'log.endLeases'(log: LogName): void {
      sql(`UPDATE ${log}_line SET fence = 0, ready_at = 0`).run()
    },
    'log.depth'(log: LogName, line?: string): LogDepth {
      const of = line === undefined ? '' : 'WHERE line = ?'
      const args = line === undefined ? [] : [line]
      const entries = sql(`SELECT count(*) AS waiting, min(appended_at) AS oldest FROM ${log}_entry ${of}`).get(...args)
      const buried = sql(`SELECT count(*) AS buried FROM ${log}_buried ${of}`).get(...args)
      const oldest = entries?.oldest
      return {
        waiting: Number(entries?.waiting),
        buried: Number(buried?.buried),
        oldestAppendedAtMs: typeof oldest === 'number' ? oldest : null,
      }
    },
    'log.list'(log: LogName, line: string, afterSeq: number, limit: number): LogEntry[] {
      return sql(`SELECT seq, appended_at, body FROM ${log}_entry WHERE line = ? AND seq > ? ORDER BY seq LIMIT ?`)
        .all(line, afterSeq, limit)
        .map(toEntry)
    },
    'log.listBuried'(log: LogName, line: string | undefined, afterSeq: number, limit: number): BuriedEntry[] {
      const rows =
        line === undefined
          ? sql(`SELECT * FROM ${log}_buried WHERE seq > ? ORDER BY seq LIMIT ?`).all(afterSeq, limit)
          : sql(`SELECT * FROM ${log}_buried WHERE line = ? AND seq > ? ORDER BY seq LIMIT ?`).all(
              line,
              afterSeq,
              limit,
            )
      return rows.map((row) => ({
        ...toEntry(row),
        line: String(row.line),
        reason: String(row.reason),
        buriedAtMs: Number(row.buried_at),
      }))
    },
    'log.unbury'(log: LogName, seqs: number[], nowMs: number): number {
      let found = 0
      for (const seq of [...new Set(seqs)].sort((a, b) => a - b)) {
        const row = sql(`DELETE FROM ${log}_buried WHERE seq = ? RETURNING line, body`).get(seq)
        if (!row) continue
        append(log, String(row.line), String(row.body), nowMs)
        found++
      }
      return found
    },
    'log.forgetBuried'(log: LogName, beforeMs: number): number {
      return Number(sql(`DELETE FROM ${log}_buried WHERE buried_at < ?`).run(beforeMs).changes)
    },
  }
}

function toEntry(row: Record<string, unknown>): LogEntry {
  return { seq: Number(row.seq), appendedAtMs: Number(row.appended_at), body: String(row.body) }
}
