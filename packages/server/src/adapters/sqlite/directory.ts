/** `Directory` in the embedded database. Copies of records are cached in memory, because every request reads some. */
import { LRUCache } from 'lru-cache'
import { type Directory, indexes, type Kind, type Records } from '../../ports/storage/directory.ts'
import { fromJson } from '../from-json.ts'
import type { IndexedRecord } from './directory-statements.ts'
import type { SqliteEngine } from './engine.ts'

const all = Number.MAX_SAFE_INTEGER
const copiesLimits = {
  /** In characters. */
  maxSize: 16 * 1024 * 1024,
  /** A larger record would displace too many others. */
  maxEntrySize: 64 * 1024,
}

type Copies = LRUCache<string, Records[Kind]>

export function createSqliteDirectory({ engine }: { engine: SqliteEngine }): Directory {
  let copies: Copies = new LRUCache(copiesLimits)
  // A record that is being read at this moment may be older than the change. It is added to the old cache, which is
  // discarded.
  engine.onForeignChange(() => (copies = new LRUCache(copiesLimits)))

  return {
    async find(kind, id) {
      const copy = engine.isCurrent() ? copies.get(toKey(kind, id)) : undefined
      // Only records of this kind are set under this key.
      if (copy) return copy as Records[typeof kind]
      const copiesBefore = copies
      const found = await engine.call('directory.find', kind, id)
      if (!found) return undefined
      const record = frozen(fromJson<Records[typeof kind]>(found.value))
      copiesBefore.set(toKey(kind, id), record, { size: found.value.length })
      return record
    },
    async list(kind, { where, after = '', limit = all } = {}) {
      const values = await engine.call('directory.list', kind, where, after, limit)
      return values.map((value) => fromJson(value))
    },
    count: (kind, { where } = {}) => engine.call('directory.count', kind, where),
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
        const next = change(fromJson(found.value))
        const isReplaced = await engine.call('directory.replace', kind, indexed(kind, next), found.version)
        copies.delete(toKey(kind, id))
        if (isReplaced) return next
      }
    },
    async remove(kind, id) {
      const isRemoved = await engine.call('directory.remove', kind, id)
      copies.delete(toKey(kind, id))
      return isRemoved
    },
  }
}

function toKey(kind: Kind, id: string): string {
  return `${kind}:${id}`
}

function indexed<K extends Kind>(kind: K, record: Records[K]): IndexedRecord {
  const { by, unique } = indexes[kind]
  return { id: record.id, value: JSON.stringify(record), by: by(record), unique: unique(record) }
}

/** Freezes the record and all objects in it, because many callers share it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
