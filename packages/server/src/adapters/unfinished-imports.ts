/**
 * A directory that keeps to itself the sensors of an import that is under way: they are there all at once, when its note
 * is gone, or never. In: a directory. Out: the same, where `find` and `list` leave those sensors out; their ids are taken
 * all the same, and whoever lists by `importId`, to take them back, sees them.
 */
import type { Directory, Kind, Records } from '../ports/directory.ts'

/** What is read at once behind a page that was not full. */
const furtherPage = 1_000

export function hideUnfinishedImports(directory: Directory): Directory {
  /** An import ends once; from then on nothing has to be asked. */
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
  // What an import has registered are devices; its note names it too, and is not hidden.
  return 'clientId' in record && 'importId' in record ? record.importId : undefined
}
