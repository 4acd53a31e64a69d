/**
 * Detects a report that arrives after a newer one of the same device.
 * In: reports in the order of arrival. Out: whether a report is older than one accepted before.
 * The service sends a device's reports in order; only a message that is sent again or replayed is out of order.
 */
import type { PositionReport } from '@posrep/spec'
import type { Clock } from '../ports.ts'
import { toMs } from '../request/source-time.ts'

export interface Order {
  isOutOfOrder(device: string | undefined, report: PositionReport): boolean
  /** Call it after the report was accepted. */
  record(device: string | undefined, report: PositionReport): void
}

export interface OrderOptions {
  clock: Clock
  /** Only the last devices are remembered. Default 1_000. */
  capacity?: number
}

/** A position from later than this after its arrival has a wrong time, which says nothing about order. */
const maxAheadMs = 60_000
/** A device whose clock was set back is in order again after this time. Most repetitions come earlier. */
const memoryMs = 24 * 60 * 60_000

export function createOrder({ clock, capacity = 1_000 }: OrderOptions): Order {
  const newest = new Map<string, { timeMs: number; acceptedAtMs: number }>()

  return {
    isOutOfOrder(device = '', report) {
      const known = newest.get(device)
      const timeMs = newestOf(report)
      return timeMs !== undefined && known !== undefined && isRemembered(known) && timeMs < known.timeMs
    },
    record(device, report) {
      const timeMs = newestOf(report)
      // Messages that name no device may come from different ones, so their order means nothing.
      if (device === undefined || timeMs === undefined) return
      const known = newest.get(device)
      const isNewest = !known || !isRemembered(known) || timeMs >= known.timeMs
      newest.delete(device)
      newest.set(device, isNewest ? { timeMs, acceptedAtMs: clock.now() } : known)
      for (const oldest of newest.keys()) {
        if (newest.size <= capacity) return
        newest.delete(oldest)
      }
    },
  }

  function isRemembered({ acceptedAtMs }: { acceptedAtMs: number }): boolean {
    return clock.now() - acceptedAtMs < memoryMs
  }

  function newestOf({ positions }: PositionReport): number | undefined {
    const latestMs = clock.now() + maxAheadMs
    const times = positions.map(({ sourceTimeStamp }) => toMs(sourceTimeStamp)).filter((timeMs) => timeMs <= latestMs)
    return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b))
  }
}
