/**
 * Detects a report that arrives after a newer one of the same device.
 * In: reports in the order of arrival. Out: whether a report is older than one accepted before.
 * The service sends a device's reports in order; only a message that is sent again or replayed is out of order.
 */
import type { PositionReport } from '@posrep/spec'
import { toMs } from '../request/source-time.ts'

export interface Order {
  isOutOfOrder(device: string | undefined, report: PositionReport): boolean
  /** Call it after the report was accepted. */
  record(device: string | undefined, report: PositionReport): void
}

/** Remembers the newest position time of each of the last `capacity` devices. */
export function createOrder(capacity: number): Order {
  const newestMs = new Map<string, number>()

  return {
    isOutOfOrder(device = '', report) {
      const acceptedMs = newestMs.get(device)
      return acceptedMs !== undefined && newestOf(report) < acceptedMs
    },
    record(device, report) {
      // Messages that name no device may come from different ones, so their order means nothing.
      if (device === undefined) return
      const latest = Math.max(newestOf(report), newestMs.get(device) ?? 0)
      newestMs.delete(device)
      newestMs.set(device, latest)
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
