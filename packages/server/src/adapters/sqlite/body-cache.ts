/**
 * What entries say, from their appending until they are settled, so that in steady state nothing is read back.
 * In: bodies, and what they say where somebody has parsed them. Out: the same, as far as there was room for them.
 */
export interface Body {
  body: string
  value?: unknown
}

export interface BodyCache {
  get(seq: number): Body | undefined
  /** Does nothing when there is no room. */
  add(seq: number, body: string, value: unknown): void
  /** Also when there is no room: for what is being worked on, which is bounded elsewhere. */
  hold(seq: number, body: string): void
  remove(seq: number): void
  clear(): void
}

interface Kept extends Body {
  cost: number
}

const roomBytes = 64 * 1024 * 1024
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
    add(seq, body, value) {
      if (value === undefined) {
        if (used + body.length <= roomBytes) put(seq, { body, cost: body.length })
      } else if (used + body.length * valueFactor <= roomBytes) {
        put(seq, { body, value, cost: body.length * valueFactor })
      }
    },
    hold: (seq, body) => put(seq, { body, cost: body.length }),
    remove(seq) {
      const kept = bodies.get(seq)
      if (!kept) return
      used -= kept.cost
      bodies.delete(seq)
      // An old table of the map may hold on to it for long, but to no more than this.
      kept.body = ''
      kept.value = undefined
    },
    clear() {
      bodies.clear()
      used = 0
    },
  }
}
