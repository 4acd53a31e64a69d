/** `Directory` in the embedded database. */
import { type Directory, indexes, type Kind, type Records } from '../../ports/directory.ts'
import type { SqliteEngine } from './engine.ts'
import { createRecordCopies } from './record-copies.ts'
import type { IndexedRecord } from './statements/directory.ts'

const all = Number.MAX_SAFE_INTEGER

export function createSqliteDirectory({ engine }: { engine: SqliteEngine }): Directory {
  let copies = createRecordCopies()
  // Others again, so that what is being read meanwhile is not kept among these: it may be older than the news.
  engine.onNews(() => (copies = createRecordCopies()))

  return {
    async find(kind, id) {
      const copy = engine.isCurrent() ? copies.find(kind, id) : undefined
      if (copy) return copy
      const asked = copies
      const found = await engine.call('directory.find', kind, id)
      if (!found) return undefined
      const record = frozen(parsed(kind, found.value))
      asked.keep(kind, record, found.value.length)
      return record
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
        const isReplaced = await engine.call('directory.replace', kind, indexed(kind, next), found.version)
        copies.forget(kind, id)
        if (isReplaced) return next
      }
    },
    async remove(kind, id) {
      const isRemoved = await engine.call('directory.remove', kind, id)
      copies.forget(kind, id)
      return isRemoved
    },
  }
}

function indexed<K extends Kind>(kind: K, record: Records[K]): IndexedRecord {
  const { by, unique } = indexes[kind]
  return { id: record.id, value: JSON.stringify(record), by: by(record), unique: unique(record) }
}

/** All through: one that is given to many is nobody's to change. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

function parsed<K extends Kind>(_kind: K, value: string): Records[K] {
  // Rows of a kind are written by `insert` and `update` with records of that kind.
  return JSON.parse(value) as Records[K]
}
