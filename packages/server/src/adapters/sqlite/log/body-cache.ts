/**
 * What entries say, from their appending until they are settled, so that in steady state nothing is read back.
 * In: bodies, and what they say where somebody has parsed them. Out: the same, as far as there was room for them.
 */

import type { EntryText } from '../../../ports/entry-text.ts'
import { memoryRoom } from '../../../ports/memory-room.ts'

export interface Body {
  text: EntryText
  value?: unknown
}

export interface BodyCache {
  get(seq: number): Body | undefined
  /** Does nothing when there is no room. */
  add(seq: number, text: EntryText, value: unknown): void
  /** Also when there is no room: for what is being worked on, which is bounded elsewhere. */
  hold(seq: number, text: EntryText): void
  remove(seq: number): void
  /** Then what is not needed soon goes. */
  isHalfFull(): boolean
  clear(): void
}

interface Kept extends Body {
  cost: number
}

const roomBytes = memoryRoom(64 * 1024 * 1024)
/** A value that is handed over takes no more room than its text. */
const valueFactor = 2

export function createBodyCache(): BodyCache {
  const bodies = new Map<number, Kept>()
  let used = 0

  function put(seq: number, kept: Kept): void {
    bodies.set(seq, kept)
    used += kept.cost
  }

  return {
    get: (seq) => bodies.get(seq),
    add(seq, text, value) {
      const cost = text.length * (value === undefined ? 1 : valueFactor)
      if (used + cost <= roomBytes) put(seq, { text, cost, ...(value !== undefined && { value }) })
    },
    hold: (seq, text) => put(seq, { text, cost: text.length }),
    remove(seq) {
      const kept = bodies.get(seq)
      if (!kept) return
      used -= kept.cost
      bodies.delete(seq)
      // An old table of the map may hold on to it for long, but to no more than this.
      kept.text = ''
      kept.value = undefined
    },
    isHalfFull: () => used >= roomBytes / 2,
    clear() {
      bodies.clear()
      used = 0
    },
  }
}
