/**
 * What pages show while the account has made too many calls of an operation: what they read last.
 * In: a name, and what reads it. Out: what is read, or was read under this name in the last minute.
 */
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'

/** Then the account may call again. */
const keptMs = 60_000
const maxKept = 1_000

export function createLastReads({ clock }: { clock: Clock }) {
  const kept = new LRUCache<string, { atMs: number; result: unknown }>({ max: maxKept })

  return async function readOrLast<T>(name: string, read: () => Promise<T>): Promise<T> {
    try {
      const result = await read()
      kept.set(name, { atMs: clock.now(), result })
      return result
    } catch (error) {
      const last = kept.get(name)
      const isLimited = error instanceof ApiError && error.code === 'too_many_requests'
      if (!isLimited || !last || clock.now() - last.atMs > keptMs) throw error
      // A name belongs to one reader, so that the result has its type.
      return last.result as T
    }
  }
}
