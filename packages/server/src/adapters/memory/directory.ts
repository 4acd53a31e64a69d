/** `Directory` in the process's memory: for `--memory` and for tests. */
import { type Directory, indexes, type Kind, type Records } from '../../ports/storage/directory.ts'
import { fromJson } from '../from-json.ts'

export function createMemoryDirectory(): Directory {
  const kinds = new Map<Kind, Map<string, string>>()
  const taken = new Set<string>()
  /** Key: a kind, an index and its value. */
  const idsByIndex = new Map<string, Set<string>>()

  function records(kind: Kind): Map<string, string> {
    let map = kinds.get(kind)
    if (!map) kinds.set(kind, (map = new Map()))
    return map
  }

  function uniques<K extends Kind>(kind: K, record: Records[K]): string[] {
    return indexes[kind].unique(record).map((value) => `${kind}:${value}`)
  }

  function read<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    return fromJson(records(kind).get(id))
  }

  function indexKeys<K extends Kind>(kind: K, record: Records[K]): string[] {
    return Object.entries(indexes[kind].by(record)).map(([index, value]) => toIndexKey(kind, index, value))
  }

  function erase<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    const record = read(kind, id)
    if (!record) return undefined
    records(kind).delete(id)
    for (const key of indexKeys(kind, record)) {
      const ids = idsByIndex.get(key)
      ids?.delete(id)
      if (ids?.size === 0) idsByIndex.delete(key)
    }
    return record
  }

  function write<K extends Kind>(kind: K, record: Records[K]): void {
    erase(kind, record.id)
    records(kind).set(record.id, JSON.stringify(record))
    for (const key of indexKeys(kind, record)) {
      const ids = idsByIndex.get(key) ?? new Set()
      idsByIndex.set(key, ids.add(record.id))
    }
  }

  return {
    async find(kind, id) {
      return read(kind, id)
    },
    async list(kind, { where, after = '', limit = Number.POSITIVE_INFINITY } = {}) {
      const ids = where ? (idsByIndex.get(toIndexKey(kind, where.index, where.equals)) ?? []) : records(kind).keys()
      return [...ids]
        .filter((id) => id > after)
        .sort()
        .slice(0, limit)
        .flatMap((id) => read(kind, id) ?? [])
    },
    async count(kind, { where } = {}) {
      return where ? (idsByIndex.get(toIndexKey(kind, where.index, where.equals))?.size ?? 0) : records(kind).size
    },
    async insert(kind, record) {
      const unique = uniques(kind, record)
      if (records(kind).has(record.id) || unique.some((value) => taken.has(value))) return false
      for (const value of unique) taken.add(value)
      write(kind, record)
      return true
    },
    async insertAll(kind, list) {
      const ids = new Set(records(kind).keys())
      const values = new Set(taken)
      const conflicts = list.flatMap((record, index) => {
        const unique = uniques(kind, record)
        const isTaken = ids.has(record.id) || unique.some((value) => values.has(value))
        ids.add(record.id)
        for (const value of unique) values.add(value)
        return isTaken ? [index] : []
      })
      if (conflicts.length > 0) return conflicts
      for (const record of list) {
        for (const value of uniques(kind, record)) taken.add(value)
        write(kind, record)
      }
      return []
    },
    async update(kind, id, change) {
      const current = read(kind, id)
      if (!current) return undefined
      const next = change(current)
      write(kind, next)
      return next
    },
    async remove(kind, id) {
      const removed = erase(kind, id)
      if (!removed) return false
      for (const value of uniques(kind, removed)) taken.delete(value)
      return true
    },
  }
}

function toIndexKey(kind: Kind, index: string, value: string): string {
  return JSON.stringify([kind, index, value])
}
