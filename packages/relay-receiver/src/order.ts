/**
 * Detects a report that arrives after a newer one from the same sensor.
 * In: reports in the order of arrival. Out: whether a report is older than one accepted before.
 * The service sends a device's reports in order; only a message that is sent again or replayed is out of order.
 */
import type { PositionReport } from '@posrep/spec'

export interface Order {
  isOutOfOrder(report: PositionReport): boolean
  /** Call it after the report was accepted. */
  record(report: PositionReport): void
}

/** Remembers the newest position time of each of the last `capacity` sensors. */
export function createOrder(capacity: number): Order {
  const newestMs = new Map<string, number>()

  return {
    isOutOfOrder(report) {
      const acceptedMs = newestMs.get(report.sensor?.id ?? '')
      return acceptedMs !== undefined && newestOf(report) < acceptedMs
    },
    record(report) {
      const sensor = report.sensor?.id
      // Reports without a sensor may come from different devices, so their order means nothing.
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

/** A time without an offset is UTC. Date does not support leap seconds, so :60 is read as :59. */
function toMs(sourceTimeStamp: string): number {
  const time = sourceTimeStamp.toUpperCase().replace(':60', ':59')
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`)
}
