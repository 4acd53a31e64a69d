/**
 * The seqs of each device's recent reports, in the order of acceptance, in the memory of the database thread.
 * In: seqs that are added, and the seq up to which they are deleted. Out: the seqs of one device. The index is read from the
 * file when it is first needed.
 */
export interface RecentIndex {
  /** Reads the file, unless it was read already. Must not be called between the write of a report and its `add`. */
  load(): void
  add(device: string, seqs: number[]): void
  /** All but the `keep` newest seqs, oldest first. */
  oldestBeyond(device: string, keep: number): number[]
  forgetUpTo(device: string, seq: number): void
  newestFirst(device: string): Iterable<number>
  /** Empties the index; the next call reads the file again. */
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
      // Before the first load nothing is added: the load will find these seqs in the file.
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
