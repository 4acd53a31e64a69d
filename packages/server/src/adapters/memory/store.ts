/** `Store` in the process's memory: for `--memory` and for tests. */
import type { Clock } from '../../ports/clock.ts'
import { checkTtl, type Store } from '../../ports/storage/store.ts'
import { fromJson } from '../from-json.ts'

const sweepEveryWrites = 1024

export function createMemoryStore({ clock }: { clock: Clock }): Store {
  // Values are stored as JSON text, so that a caller cannot change what another caller stored.
  const records = new Map<string, { json: string; expiresAtMs: number }>()
  let writes = 0

  function read(key: string): string | undefined {
    const record = records.get(key)
    if (!record) return undefined
    if (record.expiresAtMs > clock.now()) return record.json
    records.delete(key)
    return undefined
  }

  function write(key: string, value: unknown, ttlMs: number): void {
    checkTtl(ttlMs)
    records.set(key, { json: JSON.stringify(value), expiresAtMs: clock.now() + ttlMs })
    if (++writes % sweepEveryWrites === 0) for (const expired of [...records.keys()]) read(expired)
  }

  return {
    async get(key) {
      return fromJson(read(key))
    },
    async put(key, value, ttlMs) {
      write(key, value, ttlMs)
    },
    async take(key) {
      const json = read(key)
      records.delete(key)
      return fromJson(json)
    },
    async replace(key, expected, next, ttlMs) {
      if (read(key) !== (expected === undefined ? undefined : JSON.stringify(expected))) return false
      write(key, next, ttlMs)
      return true
    },
    async delete(key) {
      const existed = read(key) !== undefined
      records.delete(key)
      return existed
    },
  }
}
