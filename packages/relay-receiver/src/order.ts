/**
 * Notices a report that comes after a newer one of its sensor.
 * In: reports, in the order in which they are taken. Out: whether one is older than what was taken before.
 * The service sends in the order of the device; a resent or replayed message breaks it.
 */
import type { PositionReport } from '@posrep/spec'

export interface Order {
  isOutOfOrder(report: PositionReport): boolean
  /** To be told after the report was taken. */
  note(report: PositionReport): void
}

/** Remembers the newest time of the last `capacity` sensors. */
export function createOrder(capacity: number): Order {
  const newestMs = new Map<string, number>()

  return {
    isOutOfOrder(report) {
      const takenMs = newestMs.get(report.sensor?.id ?? '')
      return takenMs !== undefined && newestOf(report) < takenMs
    },
    note(report) {
      const sensor = report.sensor?.id
      // Reports without a sensor may come from any device; their order says nothing.
      if (sensor === undefined) return
      const latest = Math.max(newestOf(report), newestMs.get(sensor) ?? 0)
      newestMs.delete(sensor)
      newestMs.set(sensor, latest)
      for (const oldest of newestMs.keys()) {
        if (newestMs.size <= capacity) return
        newestMs.delete(oldest)
      }
    },
  }
}

function newestOf({ positions }: PositionReport): number {
  return positions.reduce((newest, { sourceTimeStamp }) => Math.max(newest, toMs(sourceTimeStamp)), 0)
}

/** A time without an offset is UTC. A leap second, which Date does not know, counts as the second before. */
function toMs(sourceTimeStamp: string): number {
  const time = sourceTimeStamp.toUpperCase().replace(':60', ':59')
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`)
}
