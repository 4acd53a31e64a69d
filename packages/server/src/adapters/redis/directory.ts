/**
 * `Directory` in Redis. Each record is a hash. Each kind has sorted sets of ids and a hash of unique values.
 * A record also stores the names of the indexes that list it, so that one script can update the record and its indexes.
 */
import { createBatch } from '../../concurrency/batch.ts'
import { type Directory, indexes, type Kind, type Records } from '../../ports/storage/directory.ts'
import { fromJson } from '../from-json.ts'
import { countScript, findScript, insertScript, listScript, removeScript, replaceScript } from './directory-scripts.ts'
import type { RedisLink } from './link/link.ts'
import { toNumbers, toRows, toTexts } from './link/reply.ts'

/** Records that one script reads. Redis serves no other client while a script runs. */
const pageRecords = 1_000
const findBatchSize = 200
/**
 * Extra answer time for a bulk insertion, which is one script: 100,000 records occupy Redis for two or three seconds.
 */
const perInsertedRecordMs = 0.1

export function createRedisDirectory({ link }: { link: RedisLink }): Directory {
  const read = createBatch({
    run: async (records: string[]) => toRows(await link.run(findScript, records, [])),
    maxCalls: findBatchSize,
  })

  async function find<K extends Kind>(kind: K, id: string): Promise<[version: string, record: Records[K]] | undefined> {
    const [version, value] = toTexts(await read(toKeys(kind, id).record))
    return version === undefined || value === undefined ? undefined : [version, fromJson(value)]
  }

  async function insertAll<K extends Kind>(kind: K, records: Records[K][]): Promise<number[]> {
    const { record, ids, unique } = toKeys(kind, '')
    const entries = JSON.stringify(records.map((entry) => toEntry(kind, entry)))
    const answerMs = link.answerMs + records.length * perInsertedRecordMs
    return toNumbers(await link.run(insertScript, [record, ids, unique], [toIndexKey(kind), entries], answerMs))
  }

  return {
    async find(kind, id) {
      return (await find(kind, id))?.[1]
    },
    async list(kind, { where, after = '', limit = Number.POSITIVE_INFINITY } = {}) {
      const { record, ids } = toKeys(kind, '')
      const listed = where ? toKey(kind, 'by', where.index, where.equals) : ids
      const records: Records[typeof kind][] = []
      for (let last = after; records.length < limit; ) {
        const size = Math.min(pageRecords, limit - records.length)
        const page = toTexts(await link.run(listScript, [record, listed], [last === '' ? '-' : `(${last}`, size]))
        for (const value of page) records.push(fromJson(value))
        if (page.length < size) break
        last = records.at(-1)?.id ?? last
      }
      return records
    },
    async count(kind, { where } = {}) {
      const listed = where ? toKey(kind, 'by', where.index, where.equals) : toKeys(kind, '').ids
      return Number(await link.run(countScript, [listed], []))
    },
    async insert(kind, record) {
      return (await insertAll(kind, [record])).length === 0
    },
    insertAll,
    async update(kind, id, change) {
      for (;;) {
        const found = await find(kind, id)
        if (!found) return undefined
        const next = change(found[1])
        const { value, by } = toEntry(kind, next)
        const args = [toIndexKey(kind), id, found[0], value, by]
        if ((await link.run(replaceScript, [toKeys(kind, id).record], args)) === 1) return next
      }
    },
    async remove(kind, id) {
      const { record, ids, unique } = toKeys(kind, id)
      return (await link.run(removeScript, [record, ids, unique], [toIndexKey(kind), id])) === 1
    },
  }

  /**
   * Includes the prefix, because it is sent as an argument and `link` adds the prefix only to keys. The script appends
   * the name.
   */
  function toIndexKey(kind: Kind): string {
    return `${link.prefix}${toKey(kind, 'by', '')}`
  }
}

function toKeys(kind: Kind, id: string) {
  return { record: toKey(kind, 'record', id), ids: toKey(kind, 'ids'), unique: toKey(kind, 'unique') }
}

function toKey(kind: Kind, ...parts: string[]): string {
  return ['directory', kind, ...parts].join(':')
}

/**
 * Converts a record for the scripts. Its lists are JSON strings, because Lua cannot tell an empty list from an empty
 * object.
 */
function toEntry<K extends Kind>(kind: K, record: Records[K]) {
  const { by, unique } = indexes[kind]
  const listedBy = Object.entries(by(record)).map(([name, value]) => `${name}:${value}`)
  return {
    id: record.id,
    value: JSON.stringify(record),
    by: JSON.stringify(listedBy),
    unique: JSON.stringify(unique(record)),
  }
}
