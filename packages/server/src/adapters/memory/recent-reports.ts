/** `RecentReports` in the process's memory: for `--memory` and for tests. */
import { memoryRoom } from '../../ports/memory-room.ts'
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
  /** Oldest first. */
  minutes: Map<number, { reports: number; positions: number }>
}

/** For all devices together. At the limit, the device with the most bytes loses its oldest reports. */
const roomBytes = memoryRoom(1024 * 1024 * 1024)

export function createMemoryRecentReports(): RecentReports {
  const windows = new Map<string, DeviceWindow>()
  let bytesInAll = 0

  function add(window: DeviceWindow, { seq, receivedAtMs, report, positions, tags }: RecentEntry): void {
    const bytes = Buffer.byteLength(report)
    window.entries.push({ seq, receivedAtMs, report, positions, tags, bytes })
    window.bytes += bytes
    bytesInAll += bytes
    const start = minuteOf(receivedAtMs)
    const minute = window.minutes.get(start) ?? { reports: 0, positions: 0 }
    window.minutes.set(start, { reports: minute.reports + 1, positions: minute.positions + positions })
  }

  function removeOldest(window: DeviceWindow, count: number): void {
    for (const { bytes } of window.entries.splice(0, count)) {
      window.bytes -= bytes
      bytesInAll -= bytes
    }
  }

  function trim(window: DeviceWindow, { sinceMs, limit, maxBytes }: RecentBound): void {
    const { entries } = window
    let old = 0
    let bytesLeft = window.bytes
    for (const { receivedAtMs, bytes } of entries) {
      const isBeyond = entries.length - old > limit + 1 || bytesLeft - bytes > maxBytes
      if (!isBeyond && receivedAtMs >= sinceMs) break
      bytesLeft -= bytes
      old++
    }
    removeOldest(window, old)
    for (const start of window.minutes.keys()) {
      if (start >= minuteOf(sinceMs)) break
      window.minutes.delete(start)
    }
  }

  function makeRoom(): void {
    while (bytesInAll > roomBytes) {
      const [largest] = [...windows.values()].sort((a, b) => b.bytes - a.bytes)
      if (largest) removeOldest(largest, Math.ceil(largest.entries.length / 8))
    }
  }

  return {
    async append(deviceUrn, entries, bound) {
      let window = windows.get(deviceUrn)
      if (!window) windows.set(deviceUrn, (window = { entries: [], bytes: 0, minutes: new Map() }))
      const lastSeq = window.entries.at(-1)?.seq ?? 0
      for (const entry of entries) if (entry.seq > lastSeq) add(window, entry)
      trim(window, bound)
      makeRoom()
    },
    async list(deviceUrn, { sinceMs, limit, after }) {
      const { entries = [] } = windows.get(deviceUrn) ?? {}
      const page: RecentEntry[] = []
      const beforeSeq = after === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(after, 10)
      let room = recentPageBytes
      for (const { bytes, ...entry } of entries.toReversed()) {
        if (entry.seq >= beforeSeq) continue
        if (entry.receivedAtMs < sinceMs) break
        if (page.length === limit || room <= 0) return { entries: page, next: String(page.at(-1)?.seq) }
        page.push(entry)
        room -= bytes
      }
      return { entries: page }
    },
    async metrics(deviceUrns, sinceMs) {
      return new Map(deviceUrns.map((urn) => [urn, metricsOf(windows.get(urn), sinceMs)]))
    },
    async sweep(sinceMs) {
      for (const [urn, window] of windows) {
        trim(window, { sinceMs, limit: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY })
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
