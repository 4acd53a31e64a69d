/**
 * Copies of records that are in the file, so that what every request reads does not cross threads each time.
 * In: records, as they were read. Out: the same, for everybody, and so frozen. Those that were not used for longest make
 * room for others, half of them at a time.
 */
import type { Kind, Records } from '../../ports/directory.ts'

export interface RecordCopies {
  find<K extends Kind>(kind: K, id: string): Records[K] | undefined
  /** @param size of the record, in characters */
  keep<K extends Kind>(kind: K, record: Records[K], size: number): void
  forget(kind: Kind, id: string): void
}

interface Copy {
  record: Records[Kind]
  size: number
}

/** Of each half. */
const roomCharacters = 8 * 1024 * 1024
/** What is larger would drive out too many others. */
const mostCharacters = 64 * 1024

export function createRecordCopies(): RecordCopies {
  let recent = new Map<string, Copy>()
  let earlier = new Map<string, Copy>()
  let used = 0

  function put(key: string, copy: Copy): void {
    if (used + copy.size > roomCharacters) {
      earlier = recent
      recent = new Map()
      used = 0
    }
    recent.set(key, copy)
    used += copy.size
  }

  return {
    find<K extends Kind>(kind: K, id: string) {
      const key = toKey(kind, id)
      let copy = recent.get(key)
      if (!copy && (copy = earlier.get(key))) put(key, copy)
      // `keep` has put one of this kind there.
      return copy?.record as Records[K] | undefined
    },
    keep(kind, record, size) {
      if (size <= mostCharacters) put(toKey(kind, record.id), { record, size })
    },
    forget(kind, id) {
      const key = toKey(kind, id)
      recent.delete(key)
      earlier.delete(key)
    },
  }
}

function toKey(kind: Kind, id: string): string {
  return `${kind}:${id}`
}
