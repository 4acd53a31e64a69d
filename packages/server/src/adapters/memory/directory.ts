/** `Directory` in the process's memory: for `--memory` and for tests. */
import { type Directory, indexes, type Kind, type Records } from '../../ports/storage/directory.ts'
import { fromJson } from '../from-json.ts'

export function createMemoryDirectory(): Directory {
  const kinds = new Map<Kind, Map<string, string>>()
  const taken = new Set<string>()

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

  function write<K extends Kind>(kind: K, record: Records[K]): void {
    records(kind).set(record.id, JSON.stringify(record))
  }

  return {
    async find(kind, id) {
      return read(kind, id)
    },
    async list(kind, { where, after = '', limit = Number.POSITIVE_INFINITY } = {}) {
      return [...records(kind).keys()]
        .filter((id) => id > after)
        .sort()
        .flatMap((id) => read(kind, id) ?? [])
        .filter((record) => !where || indexes[kind].by(record)[where.index] === where.equals)
        .slice(0, limit)
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
      const current = read(kind, id)
      if (!current) return false
      for (const value of uniques(kind, current)) taken.delete(value)
      return records(kind).delete(id)
    },
  }
}
