/**
 * A typical durable report table on SQLite: WAL, `synchronous=FULL`, one transaction per batch.
 * In: a folder. Out: a table; a batch is on the disk when `appendAll` returns.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface Row {
  device: string
  body: string
}

export interface ReportTable {
  appendAll(rows: Row[]): void
  count(): number
  clear(): void
}

export function openReportTable(folder: string): ReportTable {
  const database = new DatabaseSync(join(folder, 'reports.sqlite'))
  database.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS reports (seq INTEGER PRIMARY KEY, device TEXT NOT NULL, accepted_at INTEGER NOT NULL, body TEXT NOT NULL) STRICT`)
  const insert = database.prepare('INSERT INTO reports (device, accepted_at, body) VALUES (?, ?, ?)')
  const counting = database.prepare('SELECT count(*) AS count FROM reports')
  return {
    appendAll(rows) {
      const now = Date.now()
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const { device, body } of rows) insert.run(device, now, body)
        database.exec('COMMIT')
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
    count: () => Number(counting.get()?.count),
    clear: () => database.exec('DELETE FROM reports'),
  }
}
