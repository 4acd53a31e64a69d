/**
 * What entries say that this process appended, for the time when it leases them itself: then nothing is parsed again.
 * In: places, texts and what they say. Out: the same once, and only for the same text: a Redis that lost what was not on
 * its disk gives places again. Entries that others lease are forgotten when there is no more room.
 */
import { memoryRoom } from '../../ports/memory-room.ts'

export interface HandedValues {
  add(seq: number, body: string, value: unknown): void
  take(seq: number, body: string): unknown
}

const roomCharacters = memoryRoom(16 * 1024 * 1024)

export function createHandedValues(): HandedValues {
  /** Oldest first. */
  const values = new Map<number, { body: string; value: unknown }>()
  let used = 0

  function remove(seq: number, body: string): void {
    if (values.delete(seq)) used -= body.length
  }

  return {
    add(seq, body, value) {
      if (value === undefined) return
      values.set(seq, { body, value })
      used += body.length
      for (const [oldest, kept] of values) {
        if (used <= roomCharacters) break
        remove(oldest, kept.body)
      }
    },
    take(seq, body) {
      const kept = values.get(seq)
      if (!kept) return undefined
      remove(seq, kept.body)
      return kept.body === body ? kept.value : undefined
    },
  }
}
