/** `RecentReports` in the process's memory: for `--memory` and for tests. */
import { scaleToHeap } from '../../ports/scale-to-heap.ts'
import { clientOf } from '../../ports/storage/log.ts'
import {
  type DeviceMetrics,
  minuteOf,
  type RecentBound,
  type RecentEntry,
  type RecentReports,
  recentPageBytes,
} from '../../ports/storage/recent-reports.ts'

interface StoredEntry extends RecentEntry {
  bytes: number
}

interface DeviceWindow {
  /** Oldest first. */
  entries: StoredEntry[]
  /** Of all entries. */
  bytes: number
  client: { bytes: number }
  /** When the newest report was received that was deleted because of a bound. */
  truncatedAtMs?: number
  /** Oldest first. */
  minutes: Map<number, { reports: number; positions: number }>
}

/** For all devices together. At the limit, the device with the most bytes loses its oldest reports. */
const roomBytes = scaleToHeap(1024 * 1024 * 1024)

export function createMemoryRecentReports(): RecentReports {
  const windows = new Map<string, DeviceWindow>()
  const clients = new Map<string, { bytes: number }>()
  let bytesInAll = 0

  function windowOf(deviceUrn: string): DeviceWindow {
    const known = windows.get(deviceUrn)
    if (known) return known
    const client = clients.get(clientOf(deviceUrn)) ?? { bytes: 0 }
    clients.set(clientOf(deviceUrn), client)
    const window = { entries: [], bytes: 0, client, minutes: new Map() }
    windows.set(deviceUrn, window)
    return window
  }

  function addBytes(window: DeviceWindow, bytes: number): void {
    window.bytes += bytes
    window.client.bytes += bytes
    bytesInAll += bytes
  }

  function add(window: DeviceWindow, { seq, receivedAtMs, report, positions, tags }: RecentEntry): void {
    const bytes = Buffer.byteLength(report)
    window.entries.push({ seq, receivedAtMs, report, positions, tags, bytes })
    addBytes(window, bytes)
    const start = minuteOf(receivedAtMs)
    const minute = window.minutes.get(start) ?? { reports: 0, positions: 0 }
    window.minutes.set(start, { reports: minute.reports + 1, positions: minute.positions + positions })
  }

  function removeOldest(window: DeviceWindow, count: number): void {
    for (const { bytes } of window.entries.splice(0, count)) addBytes(window, -bytes)
  }

  /** Removes the oldest entries because of a bound. */
  function truncate(window: DeviceWindow, count: number): void {
    const newest = window.entries[count - 1]
    if (newest) window.truncatedAtMs = newest.receivedAtMs
    removeOldest(window, count)
  }

  function trim(window: DeviceWindow, { limit, maxBytes, maxBytesOfClient }: RecentBound): void {
    const { entries, client } = window
    let beyond = 0
    let freed = 0
    const isBeyond = () =>
      entries.length - beyond > limit || window.bytes - freed > maxBytes || client.bytes - freed > maxBytesOfClient
    while (beyond < entries.length - 1 && isBeyond()) freed += entries[beyond++]?.bytes ?? 0
    truncate(window, beyond)
  }

  function removeBefore(window: DeviceWindow, sinceMs: number): void {
    const kept = window.entries.findIndex(({ receivedAtMs }) => receivedAtMs >= sinceMs)
    removeOldest(window, kept === -1 ? window.entries.length : kept)
    for (const start of window.minutes.keys()) {
      if (start >= minuteOf(sinceMs)) break
      window.minutes.delete(start)
    }
  }

  function makeRoom(): void {
    while (bytesInAll > roomBytes) {
      let largest: DeviceWindow | undefined
      for (const window of windows.values()) if (!largest || window.bytes > largest.bytes) largest = window
      if (largest) truncate(largest, Math.ceil(largest.entries.length / 8))
    }
  }

  return {
    async append(deviceUrn, entries, bound) {
      const window = windowOf(deviceUrn)
      const lastSeq = window.entries.at(-1)?.seq ?? 0
      for (const entry of entries) if (entry.seq > lastSeq) add(window, entry)
      removeBefore(window, bound.sinceMs)
      trim(window, bound)
      makeRoom()
    },
    async list(deviceUrn, { sinceMs, limit, after }) {
      const { entries = [], truncatedAtMs } = windows.get(deviceUrn) ?? {}
      const truncated = truncatedAtMs !== undefined && truncatedAtMs >= sinceMs
      const page: RecentEntry[] = []
      const beforeSeq = after === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(after, 10)
      let room = recentPageBytes
      let index = entries.findLastIndex(({ seq }) => seq < beforeSeq)
      for (let stored = entries[index]; stored; stored = entries[--index]) {
        const { bytes, ...entry } = stored
        if (entry.receivedAtMs < sinceMs) break
        if (page.length === limit || room <= 0) {
          return { entries: page, next: String(page.at(-1)?.seq), truncated }
        }
        page.push(entry)
        room -= bytes
      }
      return { entries: page, truncated }
    },
    async read(deviceUrn, reports) {
      const wanted = new Set(reports.map(({ seq }) => seq))
      const entries = windows.get(deviceUrn)?.entries.filter(({ seq }) => wanted.has(seq))
      const bySeq = new Map(entries?.map(({ seq, report }) => [seq, report]))
      return reports.map(({ seq }) => bySeq.get(seq))
    },
    async metrics(deviceUrns, sinceMs) {
      return new Map(deviceUrns.map((urn) => [urn, metricsOf(windows.get(urn), sinceMs)]))
    },
    async sweep(sinceMs) {
      for (const [urn, window] of windows) {
        removeBefore(window, sinceMs)
        if (window.entries.length === 0) windows.delete(urn)
      }
    },
  }
}

function metricsOf(window: DeviceWindow | undefined, sinceMs: number): DeviceMetrics {
  const lastReceivedAtMs = window?.entries.at(-1)?.receivedAtMs
  const minutes = [...(window?.minutes ?? [])]
    .filter(([start]) => start >= minuteOf(sinceMs))
    .sort(([a], [b]) => a - b)
    .map(([start, counts]) => ({ windowStart: new Date(start).toISOString(), ...counts }))
  return { minutes, lastReceivedAtMs: (lastReceivedAtMs ?? 0) >= sinceMs ? lastReceivedAtMs : undefined }
}
