/**
 * Which recent reports each device has, in the order of acceptance, in the thread of the database.
 * In: seqs as they come, and up to which they are gone. Out: the seqs of one device. Read from the file on the first question.
 */
export interface RecentIndex {
  /** Reads the file once. Not to be called between the write of a report and its `add`. */
  load(): void
  add(device: string, seqs: number[]): void
  /** The oldest, if there are more than `keep`. */
  oldestBeyond(device: string, keep: number): number[]
  forgetUpTo(device: string, seq: number): void
  newestFirst(device: string): Iterable<number>
  /** The next question reads the file again. */
  clear(): void
}

interface Window {
  seqs: number[]
  head: number
}

const slack = 256

export function createRecentIndex(rows: () => Iterable<Record<string, unknown>>): RecentIndex {
  let windows: Map<string, Window> | undefined

  function load(): Map<string, Window> {
    if (windows) return windows
    windows = new Map()
    for (const row of rows()) push(String(row.device), Number(row.seq))
    return windows
  }

  function push(device: string, seq: number): void {
    const all = load()
    const window = all.get(device)
    if (window) window.seqs.push(seq)
    else all.set(device, { seqs: [seq], head: 0 })
  }

  return {
    load: () => void load(),
    add(device, seqs) {
      // Before the first load, the file has them.
      if (windows) for (const seq of seqs) push(device, seq)
    },
    oldestBeyond(device, keep) {
      const window = load().get(device)
      return window ? window.seqs.slice(window.head, Math.max(window.head, window.seqs.length - keep)) : []
    },
    forgetUpTo(device, seq) {
      const window = windows?.get(device)
      if (!window) return
      while (window.head < window.seqs.length && (window.seqs[window.head] ?? 0) <= seq) window.head++
      if (window.head === window.seqs.length) windows?.delete(device)
      else if (window.head > slack && window.head * 2 > window.seqs.length) {
        window.seqs = window.seqs.slice(window.head)
        window.head = 0
      }
    },
    *newestFirst(device) {
      const window = load().get(device)
      if (!window) return
      for (let at = window.seqs.length - 1; at >= window.head; at--) yield window.seqs[at] ?? 0
    },
    clear() {
      windows = undefined
    },
  }
}
