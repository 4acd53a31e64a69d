/**
 * The seqs and sizes of each device's recent reports, in the order of acceptance, in the memory of the database thread.
 * In: reports that are added, and the seq up to which they are deleted. Out: the seqs of one device. The index is read
 * from the file when it is first needed.
 */
import { clientOf } from '../../../ports/storage/log.ts'
import type { RecentBound } from '../../../ports/storage/recent-reports.ts'

export interface IndexedReport {
  seq: number
  bytes: number
}

export interface RecentIndex {
  /** Reads the file, unless it was read already. Must not be called between the write of a report and its `add`. */
  load(): void
  add(device: string, reports: IndexedReport[]): void
  /** The oldest reports, without which the device is within the bound. Oldest first. */
  oldestBeyond(device: string, bound: IndexBound): IndexedReport[]
  /** Of all devices of the same client. */
  bytesOfClient(device: string): number
  forgetUpTo(device: string, seq: number): void
  /** From the newest report that is older than `beforeSeq`. */
  newestFirst(device: string, beforeSeq: number): Iterable<IndexedReport>
  /** Empties the index; the next call reads the file again. */
  clear(): void
}

export type IndexBound = Omit<RecentBound, 'sinceMs'>

/** Plain numbers, because an object per report would take several times the memory. */
interface IndexedDevice {
  /** Oldest first. */
  seqs: number[]
  /** The size of each report. */
  sizes: number[]
  /** Of all reports. */
  bytes: number
  client: { bytes: number }
}

export function createRecentIndex(rows: () => Iterable<Record<string, unknown>>): RecentIndex {
  let devices: Map<string, IndexedDevice> | undefined
  const clients = new Map<string, { bytes: number }>()

  function load(): Map<string, IndexedDevice> {
    if (devices) return devices
    devices = new Map()
    clients.clear()
    for (const row of rows()) push(String(row.device), { seq: Number(row.seq), bytes: Number(row.bytes) })
    return devices
  }

  function push(device: string, { seq, bytes }: IndexedReport): void {
    const all = load()
    let known = all.get(device)
    if (!known) all.set(device, (known = { seqs: [], sizes: [], bytes: 0, client: clientFor(clientOf(device)) }))
    known.seqs.push(seq)
    known.sizes.push(bytes)
    addBytes(known, bytes)
  }

  function clientFor(name: string): { bytes: number } {
    let client = clients.get(name)
    if (!client) clients.set(name, (client = { bytes: 0 }))
    return client
  }

  function addBytes(device: IndexedDevice, bytes: number): void {
    device.bytes += bytes
    device.client.bytes += bytes
  }

  return {
    load: () => void load(),
    add(device, reports) {
      // Before the first load nothing is added: the load will find these reports in the file.
      if (devices) for (const report of reports) push(device, report)
    },
    oldestBeyond(device, { limit, maxBytes, maxBytesOfClient }) {
      const beyond: IndexedReport[] = []
      const known = load().get(device)
      if (!known) return beyond
      let toFree = Math.max(known.bytes - maxBytes, known.client.bytes - maxBytesOfClient)
      for (const [at, seq] of known.seqs.entries()) {
        if (toFree <= 0 && known.seqs.length - at <= limit) break
        const bytes = known.sizes[at] ?? 0
        beyond.push({ seq, bytes })
        toFree -= bytes
      }
      return beyond
    },
    bytesOfClient: (device) => load().get(device)?.client.bytes ?? 0,
    forgetUpTo(device, seq) {
      const known = devices?.get(device)
      if (!known) return
      const kept = known.seqs.findIndex((each) => each > seq)
      const gone = kept === -1 ? known.seqs.length : kept
      known.seqs.splice(0, gone)
      for (const bytes of known.sizes.splice(0, gone)) addBytes(known, -bytes)
      if (kept === -1) devices?.delete(device)
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
