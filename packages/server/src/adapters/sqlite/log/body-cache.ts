/**
 * Caches the bodies of entries from append to settle, so that normally no body is read back from the file. It is not an
 * LRU cache: entries are leased oldest first, so when the cache is full, new bodies are not added.
 * In: bodies, with their parsed values if there are any. Out: the same, if there was room.
 */

import { scaleToHeap } from '../../../ports/scale-to-heap.ts'
import type { EntryText } from '../../../ports/storage/entry-text.ts'

export interface Body {
  text: EntryText
  value?: unknown
}

export interface BodyCache {
  get(seq: number): Body | undefined
  /** The size of the body in bytes. */
  findBytes(seq: number): number | undefined
  /** Adds the body if there is room. */
  add(seq: number, text: EntryText, value: unknown): void
  /** Adds the body even if there is no room: for leased entries, whose number is limited elsewhere. */
  addLeased(seq: number, text: EntryText): void
  remove(seq: number): void
  /** If true, the caller should remove bodies that are not needed soon. */
  isHalfFull(): boolean
  clear(): void
}

interface CachedBody extends Body {
  cost: number
}

const roomBytes = scaleToHeap(64 * 1024 * 1024)
/** An entry with a value counts twice: the value takes at most as much memory as the text. */
const valueFactor = 2

export function createBodyCache(): BodyCache {
  const bodies = new Map<number, CachedBody>()
  let used = 0

  function put(seq: number, body: CachedBody): void {
    bodies.set(seq, body)
    used += body.cost
  }

  return {
    get: (seq) => bodies.get(seq),
    findBytes(seq) {
      const text = bodies.get(seq)?.text
      return typeof text === 'string' ? Buffer.byteLength(text) : text?.length
    },
    add(seq, text, value) {
      const cost = text.length * (value === undefined ? 1 : valueFactor)
      if (used + cost <= roomBytes) put(seq, { text, cost, ...(value !== undefined && { value }) })
    },
    addLeased: (seq, text) => put(seq, { text, cost: text.length }),
    remove(seq) {
      const body = bodies.get(seq)
      if (!body) return
      used -= body.cost
      bodies.delete(seq)
      // The map may reference this object for a long time after the deletion, so its contents are released here.
      body.text = ''
      body.value = undefined
    },
    isHalfFull: () => used >= roomBytes / 2,
    clear() {
      bodies.clear()
      used = 0
    },
  }
}
