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

export function createRecentIndex(rows: () => Iterable<Record<string, unknown>>): RecentIndex {
  /** Key: device. Value: its seqs, oldest first. */
  let seqsOf: Map<string, number[]> | undefined

  function load(): Map<string, number[]> {
    if (seqsOf) return seqsOf
    seqsOf = new Map()
    for (const row of rows()) push(String(row.device), Number(row.seq))
    return seqsOf
  }

  function push(device: string, seq: number): void {
    const all = load()
    const seqs = all.get(device)
    if (seqs) seqs.push(seq)
    else all.set(device, [seq])
  }

  return {
    load: () => void load(),
    add(device, seqs) {
      // Before the first load nothing is added: the load will find these seqs in the file.
      if (seqsOf) for (const seq of seqs) push(device, seq)
    },
    oldestBeyond(device, keep) {
      const seqs = load().get(device) ?? []
      return seqs.slice(0, Math.max(0, seqs.length - keep))
    },
    forgetUpTo(device, seq) {
      const seqs = seqsOf?.get(device)
      const kept = seqs?.findIndex((each) => each > seq)
      if (kept === -1) seqsOf?.delete(device)
      else seqs?.splice(0, kept)
    },
    *newestFirst(device) {
      const seqs = load().get(device) ?? []
      for (let index = seqs.length - 1; index >= 0; index--) yield seqs[index] ?? 0
    },
    clear() {
      seqsOf = undefined
    },
  }
}
