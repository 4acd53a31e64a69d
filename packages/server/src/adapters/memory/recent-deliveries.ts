/** `RecentDeliveries` in the process's memory: for `--memory` and for tests. */
import { keptDeliveries, type RecentDeliveries, type RecentDelivery } from '../../ports/storage/recent-deliveries.ts'

/** For all devices together. The device without a delivery for the longest time is deleted first. */
const maxDeliveries = 20_000

export function createMemoryRecentDeliveries(): RecentDeliveries {
  /** Devices are in the order of their latest delivery; the deliveries of a device, by id, in the order they were stored. */
  const devices = new Map<string, Map<string, RecentDelivery>>()
  let total = 0

  function keep(delivery: RecentDelivery): void {
    const { deviceUrn, id } = delivery
    const ofDevice = devices.get(deviceUrn) ?? new Map<string, RecentDelivery>()
    if (!ofDevice.delete(id)) total++
    ofDevice.set(id, delivery)
    for (const oldest of ofDevice.keys()) {
      if (ofDevice.size <= keptDeliveries) break
      ofDevice.delete(oldest)
      total--
    }
    devices.delete(deviceUrn)
    devices.set(deviceUrn, ofDevice)
  }

  function forget(deviceUrn: string): void {
    total -= devices.get(deviceUrn)?.size ?? 0
    devices.delete(deviceUrn)
  }

  return {
    async keep(deliveries) {
      for (const delivery of deliveries) keep(delivery)
      for (const deviceUrn of devices.keys()) {
        if (total <= maxDeliveries) break
        forget(deviceUrn)
      }
    },
    list: async (deviceUrn) => [...(devices.get(deviceUrn)?.values() ?? [])].reverse(),
    find: async (deviceUrn, id) => devices.get(deviceUrn)?.get(id),
    async sweep(beforeMs) {
      for (const [deviceUrn, ofDevice] of devices) {
        if ([...ofDevice.values()].every(({ endedAtMs }) => endedAtMs < beforeMs)) forget(deviceUrn)
      }
    },
  }
}
