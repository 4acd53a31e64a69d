/**
 * Hides the sensors of an import that is not finished: they appear all at once, when its record is removed, or never.
 * In: a directory. Out: the same, whose `find` and `list` leave those sensors out. Their ids are taken, and a list by
 * `importId`, which the removal of an import needs, contains them.
 */
import type { Directory, Kind, Records } from '../ports/directory.ts'

/** How many records a further page has, when hidden ones left the first page short. */
const furtherPage = 1_000

export function hideUnfinishedImports(directory: Directory): Directory {
  /** An import ends once, and need not be looked up after that. */
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
      const { where, limit } = options
      const first = await directory.list(kind, options)
      if (kind !== 'device' || where?.index === 'importId') return first
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
  // Only devices are hidden: the record of the import has an `importId` as well.
  return 'clientId' in record && 'importId' in record ? record.importId : undefined
}
