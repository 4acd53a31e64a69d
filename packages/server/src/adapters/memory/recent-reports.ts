/** `RecentReports` in the process's memory: for `--memory` and for tests. */
import type { PositionReportMetric } from '@posrep/spec'
import { minuteOf, type RecentEntry, type RecentReports } from '../../ports/storage/recent-reports.ts'

interface DeviceWindow {
  /** Oldest first. The first valid index is `head`. */
  entries: RecentEntry[]
  head: number
  /** Oldest first. */
  minutes: Map<number, { reports: number; positions: number }>
}

/** The entries before `head` are removed when there are more than this, and when they are more than half of the array. */
const slack = 256

export function createMemoryRecentReports(): RecentReports {
  const windows = new Map<string, DeviceWindow>()

  function add(window: DeviceWindow, { seq, receivedAtMs, report, positions, tags }: RecentEntry): void {
    window.entries.push({ seq, receivedAtMs, report, positions, tags })
    const start = minuteOf(receivedAtMs)
    const minute = window.minutes.get(start) ?? { reports: 0, positions: 0 }
    window.minutes.set(start, { reports: minute.reports + 1, positions: minute.positions + positions })
  }

  function trim(window: DeviceWindow, sinceMs: number, limit: number): void {
    window.head = Math.max(window.head, window.entries.length - (limit + 1))
    while ((window.entries[window.head]?.receivedAtMs ?? sinceMs) < sinceMs) window.head++
    if (window.head > slack && window.head * 2 > window.entries.length) {
      window.entries = window.entries.slice(window.head)
      window.head = 0
    }
    for (const start of window.minutes.keys()) {
      if (start >= minuteOf(sinceMs)) break
      window.minutes.delete(start)
    }
  }

  return {
    async append(deviceUrn, entries, { sinceMs, limit }) {
      let window = windows.get(deviceUrn)
      if (!window) windows.set(deviceUrn, (window = { entries: [], head: 0, minutes: new Map() }))
      const lastSeq = window.entries.at(-1)?.seq ?? 0
      for (const entry of entries) if (entry.seq > lastSeq) add(window, entry)
      trim(window, sinceMs, limit)
    },
    async list(deviceUrn, { sinceMs, limit }) {
      const { entries = [], head = 0 } = windows.get(deviceUrn) ?? {}
      const inWindow = entries.slice(head).filter(({ receivedAtMs }) => receivedAtMs >= sinceMs)
      return { entries: inWindow.slice(-limit).reverse(), truncated: inWindow.length > limit }
    },
    async metrics(deviceUrns, sinceMs) {
      return new Map(deviceUrns.map((urn) => [urn, metricsOf(windows.get(urn), sinceMs)]))
    },
    async sweep(sinceMs) {
      for (const [urn, window] of windows) {
        if ((window.entries.at(-1)?.receivedAtMs ?? 0) < sinceMs) windows.delete(urn)
        else trim(window, sinceMs, Number.POSITIVE_INFINITY)
      }
    },
  }
}

function metricsOf(window: DeviceWindow | undefined, sinceMs: number): PositionReportMetric[] {
  return [...(window?.minutes ?? [])]
    .filter(([start]) => start >= minuteOf(sinceMs))
    .sort(([a], [b]) => a - b)
    .map(([start, counts]) => ({ windowStart: new Date(start).toISOString(), ...counts }))
}
