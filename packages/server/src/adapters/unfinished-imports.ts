/**
 * Hides the sensors of an unfinished import: they all appear at once, when the record of the import is removed, or
 * never.
 * In: a directory. Out: the same directory, whose `find` and `list` omit those sensors. Their ids cannot be used again.
 * A list `withUnfinished` contains them.
 */
import type { Directory, Kind, Records } from '../ports/storage/directory.ts'

/** The size of further pages, which are read when hidden records make the first page too short. */
const furtherPage = 1_000

export function hideUnfinishedImports(directory: Directory): Directory {
  /** Imports that have ended. A finished import stays finished, so it is not looked up again. */
  const finished = new Set<string>()

  async function isUnfinished(importId: string): Promise<boolean> {
    if (finished.has(importId)) return false
    if ((await directory.find('sensorImport', 'current'))?.importId === importId) return true
    finished.add(importId)
    return false
  }

  async function withoutUnfinished<K extends Kind>(records: Records[K][]): Promise<Records[K][]> {
    const importIds = new Set(records.flatMap((record) => importIdOf(record) ?? []))
    const hidden = new Set<string>()
    for (const importId of importIds) if (await isUnfinished(importId)) hidden.add(importId)
    return hidden.size === 0 ? records : records.filter((record) => !hidden.has(importIdOf(record) ?? ''))
  }

  return {
    ...directory,
    async find(kind, id) {
      const record = await directory.find(kind, id)
      const importId = record && importIdOf(record)
      return importId !== undefined && (await isUnfinished(importId)) ? undefined : record
    },
    async list(kind, options = {}) {
      const { limit, withUnfinished } = options
      const first = await directory.list(kind, options)
      if (kind !== 'device' || withUnfinished) return first
      const shown = await withoutUnfinished(first)
      if (limit === undefined) return shown
      for (let page = first, asked = limit; shown.length < limit && page.length === asked; ) {
        asked = Math.max(limit, furtherPage)
        page = await directory.list(kind, { ...options, after: page.at(-1)?.id ?? '', limit: asked })
        shown.push(...(await withoutUnfinished(page)))
      }
      return shown.slice(0, limit)
    },
  }
}

function importIdOf(record: Records[Kind]): string | undefined {
  // Only devices are hidden, but the record of the import has an `importId`, too.
  return 'clientId' in record && 'importId' in record ? record.importId : undefined
}
