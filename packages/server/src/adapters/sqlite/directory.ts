/** `Directory` in the embedded database. */
import { type Directory, indexes, type Kind, type Records } from '../../ports/directory.ts'
import type { SqliteEngine } from './engine.ts'
import type { IndexedRecord } from './statements/directory.ts'

const all = Number.MAX_SAFE_INTEGER

export function createSqliteDirectory({ engine }: { engine: SqliteEngine }): Directory {
  return {
    async find(kind, id) {
      const found = await engine.call('directory.find', kind, id)
      return found && parsed(kind, found.value)
    },
    async list(kind, { where, after = '', limit = all } = {}) {
      const values = await engine.call('directory.list', kind, where, after, limit)
      return values.map((value) => parsed(kind, value))
    },
    insert: (kind, record) => engine.call('directory.insert', kind, indexed(kind, record)),
    insertAll: (kind, records) =>
      engine.call(
        'directory.insertAll',
        kind,
        records.map((record) => indexed(kind, record)),
      ),
    async update(kind, id, change) {
      for (;;) {
        const found = await engine.call('directory.find', kind, id)
        if (!found) return undefined
        const next = change(parsed(kind, found.value))
        if (await engine.call('directory.replace', kind, indexed(kind, next), found.version)) return next
      }
    },
    remove: (kind, id) => engine.call('directory.remove', kind, id),
  }
}

function indexed<K extends Kind>(kind: K, record: Records[K]): IndexedRecord {
  const { by, unique } = indexes[kind]
  return { id: record.id, value: JSON.stringify(record), by: by(record), unique: unique(record) }
}

function parsed<K extends Kind>(_kind: K, value: string): Records[K] {
  // Rows of a kind are written by `insert` and `update` with records of that kind.
  return JSON.parse(value) as Records[K]
}
