/** `Store` in the embedded database. */
import type { Clock } from '../../ports/clock.ts'
import { checkTtl, type Store } from '../../ports/storage/store.ts'
import { fromJson } from '../from-json.ts'
import type { SqliteEngine } from './engine.ts'

const sweepEveryWrites = 1024

export function createSqliteStore({ engine, clock }: { engine: SqliteEngine; clock: Clock }): Store {
  let writes = 0

  function expiry(ttlMs: number): number {
    checkTtl(ttlMs)
    // Expired rows are already invisible. A sweep only frees their space, so after a failure the next sweep is enough.
    if (++writes % sweepEveryWrites === 0) void engine.call('store.sweep', clock.now()).catch(() => {})
    return clock.now() + ttlMs
  }

  return {
    async get(key) {
      return fromJson(await engine.call('store.get', key, clock.now()))
    },
    async put(key, value, ttlMs) {
      await engine.call('store.put', key, JSON.stringify(value), expiry(ttlMs))
    },
    async take(key) {
      return fromJson(await engine.call('store.take', key, clock.now()))
    },
    async replace(key, expected, next, ttlMs) {
      const before = expected === undefined ? undefined : JSON.stringify(expected)
      return engine.call('store.replace', key, before, JSON.stringify(next), expiry(ttlMs), clock.now())
    },
    async delete(key) {
      return (await engine.call('store.take', key, clock.now())) !== undefined
    },
  }
}
