/** `RecentDeliveries` in the process's memory: for `--memory` and for tests. */
import { scaleToHeap } from '../../ports/scale-to-heap.ts'
import { keptDeliveries, type RecentDeliveries, type RecentDelivery } from '../../ports/storage/recent-deliveries.ts'

/** Characters of all devices together. The device without a delivery for the longest time is deleted first. */
const maxCharacters = scaleToHeap(256 * 1024 * 1024)
/** About what a delivery takes besides its message. */
const ownCharacters = 500

export function createMemoryRecentDeliveries(): RecentDeliveries {
  /**
   * Devices are in the order of their latest delivery; the deliveries of a device, by id, in the order they were
   * stored.
   */
  const devices = new Map<string, Map<string, RecentDelivery>>()
  let characters = 0

  function keep(delivery: RecentDelivery): void {
    const { deviceUrn, id } = delivery
    const ofDevice = devices.get(deviceUrn) ?? new Map<string, RecentDelivery>()
    characters += sizeOf(delivery) - sizeOf(ofDevice.get(id))
    ofDevice.delete(id)
    ofDevice.set(id, delivery)
    for (const [oldestId, oldest] of ofDevice) {
      if (ofDevice.size <= keptDeliveries) break
      ofDevice.delete(oldestId)
      characters -= sizeOf(oldest)
    }
    devices.delete(deviceUrn)
    devices.set(deviceUrn, ofDevice)
  }

  function forget(deviceUrn: string): void {
    for (const delivery of devices.get(deviceUrn)?.values() ?? []) characters -= sizeOf(delivery)
    devices.delete(deviceUrn)
  }

  return {
    async keep(deliveries) {
      for (const delivery of deliveries) keep(delivery)
      for (const deviceUrn of devices.keys()) {
        if (characters <= maxCharacters) break
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

function sizeOf(delivery: RecentDelivery | undefined): number {
  return delivery ? delivery.message.length + ownCharacters : 0
}
