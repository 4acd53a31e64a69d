/** `RecentReports` in the process's memory: for `--memory` and for tests. */
import type { PositionReportMetric } from '@posrep/spec'
import { minuteOf, type RecentEntry, type RecentReports } from '../../ports/recent-reports.ts'

interface DeviceWindow {
  /** Oldest first. */
  entries: RecentEntry[]
  minutes: Map<number, { reports: number; positions: number }>
}

export function createMemoryRecentReports(): RecentReports {
  const windows = new Map<string, DeviceWindow>()

  return {
    async append(deviceUrn, entries, { sinceMs, limit }) {
      let window = windows.get(deviceUrn)
      if (!window) windows.set(deviceUrn, (window = { entries: [], minutes: new Map() }))
      const lastSeq = window.entries.at(-1)?.seq ?? 0
      for (const entry of entries.filter(({ seq }) => seq > lastSeq)) {
        window.entries.push(entry)
        const start = minuteOf(entry.receivedAtMs)
        const minute = window.minutes.get(start) ?? { reports: 0, positions: 0 }
        window.minutes.set(start, { reports: minute.reports + 1, positions: minute.positions + entry.positions })
      }
      window.entries = window.entries.filter(({ receivedAtMs }) => receivedAtMs >= sinceMs).slice(-(limit + 1))
      for (const start of [...window.minutes.keys()]) if (start < minuteOf(sinceMs)) window.minutes.delete(start)
    },
    async list(deviceUrn, { sinceMs, limit }) {
      const inWindow = (windows.get(deviceUrn)?.entries ?? []).filter(({ receivedAtMs }) => receivedAtMs >= sinceMs)
      return { entries: inWindow.slice(-limit).reverse(), truncated: inWindow.length > limit }
    },
    async metrics(deviceUrns, sinceMs) {
      return new Map(deviceUrns.map((urn) => [urn, metricsOf(windows.get(urn), sinceMs)]))
    },
    async sweep(sinceMs) {
      for (const [urn, window] of windows) if ((window.entries.at(-1)?.receivedAtMs ?? 0) < sinceMs) windows.delete(urn)
    },
  }
}

function metricsOf(window: DeviceWindow | undefined, sinceMs: number): PositionReportMetric[] {
  return [...(window?.minutes ?? [])]
    .filter(([start]) => start >= minuteOf(sinceMs))
    .sort(([a], [b]) => a - b)
    .map(([start, counts]) => ({ windowStart: new Date(start).toISOString(), ...counts }))
}
