/** The statements that the worker runs for `Directory`. Each call is one step of a transaction. */
import type { Database } from './database/database.ts'

export interface IndexedRecord {
  id: string
  value: string
  by: Record<string, string>
  unique: string[]
}

export interface VersionedValue {
  value: string
  version: number
}

export function directoryStatements({ sql, exec }: Database) {
  function isTaken(kind: string, { id, unique }: IndexedRecord): boolean {
    return (
      unique.some((value) => sql('SELECT 1 FROM directory_unique WHERE kind = ? AND value = ?').get(kind, value)) ||
      sql('SELECT 1 FROM directory WHERE kind = ? AND id = ?').get(kind, id) !== undefined
    )
  }
  /** False when the id or a unique value is taken; some rows may have been written then. */
  function write(kind: string, record: IndexedRecord): boolean {
    const { id, value, unique } = record
    const insert = sql('INSERT INTO directory (kind, id, version, value) VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING')
    if (insert.run(kind, id, value).changes === 0) return false
    for (const uniqueValue of unique) {
      const claim = sql('INSERT INTO directory_unique (kind, value, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      if (claim.run(kind, uniqueValue, id).changes === 0) return false
    }
    writeIndexes(kind, record)
    return true
  }
  function undoAndFindTaken(kind: string, records: IndexedRecord[]): number[] {
    exec('ROLLBACK TO insert_all')
    const earlier = new Set<string>()
    return records.flatMap((record, index) => {
      const claims = [`id:${record.id}`, ...record.unique.map((value) => `unique:${value}`)]
      const isRepeated = claims.some((claim) => earlier.has(claim))
      for (const claim of claims) earlier.add(claim)
      return isRepeated || isTaken(kind, record) ? [index] : []
    })
  }
  function writeIndexes(kind: string, { id, by }: IndexedRecord): void {
    for (const [name, value] of Object.entries(by)) {
      sql('INSERT INTO directory_index (kind, name, value, id) VALUES (?, ?, ?, ?)').run(kind, name, value, id)
    }
  }
  return {
    'directory.find'(kind: string, id: string): VersionedValue | undefined {
      const row = sql('SELECT value, version FROM directory WHERE kind = ? AND id = ?').get(kind, id)
      return row && { value: String(row.value), version: Number(row.version) }
    },
    'directory.list'(
      kind: string,
      where: { index: string; equals: string } | undefined,
      after: string,
      limit: number,
    ): string[] {
      const rows = where
        ? sql(
            'SELECT d.value FROM directory_index i JOIN directory d ON d.kind = i.kind AND d.id = i.id WHERE i.kind = ? AND i.name = ? AND i.value = ? AND i.id > ? ORDER BY i.id LIMIT ?',
          ).all(kind, where.index, where.equals, after, limit)
        : sql('SELECT value FROM directory WHERE kind = ? AND id > ? ORDER BY id LIMIT ?').all(kind, after, limit)
      return rows.map((row) => String(row.value))
    },
    'directory.count'(kind: string, where: { index: string; equals: string } | undefined): number {
      const row = where
        ? sql('SELECT count(*) AS records FROM directory_index WHERE kind = ? AND name = ? AND value = ?').get(
            kind,
            where.index,
            where.equals,
          )
        : sql('SELECT count(*) AS records FROM directory WHERE kind = ?').get(kind)
      return Number(row?.records)
    },
    'directory.insert'(kind: string, record: IndexedRecord): boolean {
      if (isTaken(kind, record)) return false
      write(kind, record)
      return true
    },
    /**
     * Returns the indexes of the records whose id or unique value is taken. An empty array means that all were written.
     */
    'directory.insertAll'(kind: string, records: IndexedRecord[]): number[] {
      // Conflicts are searched for only when a write fails, because other processes wait for this transaction.
      exec('SAVEPOINT insert_all')
      const isWritten = records.every((record) => write(kind, record))
      const conflicts = isWritten ? [] : undoAndFindTaken(kind, records)
      exec('RELEASE insert_all')
      return conflicts
    },
    /** False when another writer changed the record since `version` was read. */
    'directory.replace'(kind: string, record: IndexedRecord, version: number): boolean {
      const { changes } = sql(
        'UPDATE directory SET value = ?, version = version + 1 WHERE kind = ? AND id = ? AND version = ?',
      ).run(record.value, kind, record.id, version)
      if (changes === 0) return false
      sql('DELETE FROM directory_index WHERE kind = ? AND id = ?').run(kind, record.id)
      writeIndexes(kind, record)
      return true
    },
    'directory.remove'(kind: string, id: string): boolean {
      sql('DELETE FROM directory_index WHERE kind = ? AND id = ?').run(kind, id)
      sql('DELETE FROM directory_unique WHERE kind = ? AND id = ?').run(kind, id)
      return sql('DELETE FROM directory WHERE kind = ? AND id = ?').run(kind, id).changes === 1
    },
  }
}
