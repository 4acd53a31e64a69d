/**
 * What entries say that this process appended, for the time when it leases them itself: then nothing is parsed, or read
 * back, again.
 * In: places, what their entries have in Redis (a text, or the name of one), and what they say. Out: the same once, and only
 * where the entry still has that: a Redis that lost what was not on its disk gives places again. Entries that others lease
 * are forgotten when there is no more room.
 */
import { memoryRoom } from '../../ports/memory-room.ts'

export interface Handed {
  value?: unknown
  /** Of a body that the entry only names. */
  body?: Buffer
}

export interface HandedValues {
  add(seq: number, text: string, handed: Handed): void
  take(seq: number, text: string): Handed | undefined
}

const roomBytes = memoryRoom(32 * 1024 * 1024)

export function createHandedValues(): HandedValues {
  /** Oldest first. */
  const values = new Map<number, { text: string; handed: Handed }>()
  let used = 0

  function remove(seq: number, { text, handed }: { text: string; handed: Handed }): void {
    if (values.delete(seq)) used -= sizeOf(text, handed)
  }

  return {
    add(seq, text, handed) {
      if (handed.value === undefined && !handed.body) return
      values.set(seq, { text, handed })
      used += sizeOf(text, handed)
      for (const [oldest, kept] of values) {
        if (used <= roomBytes) break
        remove(oldest, kept)
      }
    },
    take(seq, text) {
      const kept = values.get(seq)
      if (!kept) return undefined
      remove(seq, kept)
      return kept.text === text ? kept.handed : undefined
    },
  }
}

function sizeOf(text: string, { body }: Handed): number {
  return text.length + (body?.length ?? 0)
}
