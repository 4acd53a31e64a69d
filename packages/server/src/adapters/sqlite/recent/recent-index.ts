/**
 * The seqs and sizes of each device's recent reports, in the order of acceptance, in the memory of the database thread.
 * In: reports that are added, and the seq up to which they are deleted. Out: the seqs of one device. The index is read from
 * the file when it is first needed.
 */
export interface IndexedReport {
  seq: number
  bytes: number
}

export interface RecentIndex {
  /** Reads the file, unless it was read already. Must not be called between the write of a report and its `add`. */
  load(): void
  add(device: string, reports: IndexedReport[]): void
  /** The oldest reports, without which the device still has reports beyond the bound. Oldest first. */
  oldestBeyond(device: string, bound: { limit: number; maxBytes: number }): IndexedReport[]
  forgetUpTo(device: string, seq: number): void
  /** From the newest report that is older than `beforeSeq`. */
  newestFirst(device: string, beforeSeq: number): Iterable<IndexedReport>
  /** Empties the index; the next call reads the file again. */
  clear(): void
}

/** Plain numbers, because an object per report would take several times the memory. */
interface IndexedDevice {
  /** Oldest first. */
  seqs: number[]
  /** The size of each report. */
  sizes: number[]
  /** Of all reports. */
  bytes: number
}

export function createRecentIndex(rows: () => Iterable<Record<string, unknown>>): RecentIndex {
  let devices: Map<string, IndexedDevice> | undefined

  function load(): Map<string, IndexedDevice> {
    if (devices) return devices
    devices = new Map()
    for (const row of rows()) push(String(row.device), { seq: Number(row.seq), bytes: Number(row.bytes) })
    return devices
  }

  function push(device: string, { seq, bytes }: IndexedReport): void {
    const all = load()
    let known = all.get(device)
    if (!known) all.set(device, (known = { seqs: [], sizes: [], bytes: 0 }))
    known.seqs.push(seq)
    known.sizes.push(bytes)
    known.bytes += bytes
  }

  return {
    load: () => void load(),
    add(device, reports) {
      // Before the first load nothing is added: the load will find these reports in the file.
      if (devices) for (const report of reports) push(device, report)
    },
    oldestBeyond(device, { limit, maxBytes }) {
      const beyond: IndexedReport[] = []
      const known = load().get(device)
      let bytesLeft = known?.bytes ?? 0
      for (const [at, seq] of known?.seqs.entries() ?? []) {
        const bytes = known?.sizes[at] ?? 0
        const isWithin = bytesLeft - bytes <= maxBytes
        if (isWithin && (known?.seqs.length ?? 0) - at <= limit + 1) break
        beyond.push({ seq, bytes })
        bytesLeft -= bytes
      }
      return beyond
    },
    forgetUpTo(device, seq) {
      const known = devices?.get(device)
      if (!known) return
      const kept = known.seqs.findIndex((each) => each > seq)
      if (kept === -1) devices?.delete(device)
      else {
        known.seqs.splice(0, kept)
        for (const bytes of known.sizes.splice(0, kept)) known.bytes -= bytes
      }
    },
    *newestFirst(device, beforeSeq) {
      const { seqs, sizes } = load().get(device) ?? { seqs: [], sizes: [] }
      for (let index = seqs.findLastIndex((seq) => seq < beforeSeq); index >= 0; index--) {
        yield { seq: seqs[index] ?? 0, bytes: sizes[index] ?? 0 }
      }
    },
    clear() {
      devices = undefined
    },
  }
}
