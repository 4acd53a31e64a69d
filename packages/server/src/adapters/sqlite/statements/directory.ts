/** What the worker does for `Directory`; each call is one step of a transaction. */
import type { Database } from '../database.ts'

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

export function directoryStatements({ sql }: Database) {
  function writeIndexes(kind: string, { id, by }: IndexedRecord): void {
    sql('DELETE FROM directory_index WHERE kind = ? AND id = ?').run(kind, id)
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
    'directory.insert'(kind: string, record: IndexedRecord): boolean {
      const taken = record.unique.some((value) =>
        sql('SELECT 1 FROM directory_unique WHERE kind = ? AND value = ?').get(kind, value),
      )
      if (taken || sql('SELECT 1 FROM directory WHERE kind = ? AND id = ?').get(kind, record.id)) return false
      sql('INSERT INTO directory (kind, id, version, value) VALUES (?, ?, 1, ?)').run(kind, record.id, record.value)
      for (const value of record.unique) {
        sql('INSERT INTO directory_unique (kind, value, id) VALUES (?, ?, ?)').run(kind, value, record.id)
      }
      writeIndexes(kind, record)
      return true
    },
    /** False when another writer changed the record since `version` was read. */
    'directory.replace'(kind: string, record: IndexedRecord, version: number): boolean {
      const { changes } = sql(
        'UPDATE directory SET value = ?, version = version + 1 WHERE kind = ? AND id = ? AND version = ?',
      ).run(record.value, kind, record.id, version)
      if (changes === 0) return false
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
