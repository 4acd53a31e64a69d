/**
 * `RecentDeliveries` in the embedded database. Deliveries of a device that are stored by one call share a row, because
 * a lease of a queue may contain many deliveries.
 */
import { keptDeliveries, type RecentDeliveries, type RecentDelivery } from '../../../ports/storage/recent-deliveries.ts'
import { fromJson } from '../../from-json.ts'
import type { SqliteEngine } from '../engine.ts'

export function createSqliteRecentDeliveries({ engine }: { engine: SqliteEngine }): RecentDeliveries {
  async function list(deviceUrn: string): Promise<RecentDelivery[]> {
    const byId = new Map<string, RecentDelivery>()
    for (const value of await engine.call('deliveries.list', deviceUrn)) {
      for (const delivery of fromValue(deviceUrn, value).reverse()) {
        if (!byId.has(delivery.id)) byId.set(delivery.id, delivery)
      }
    }
    return [...byId.values()].slice(0, keptDeliveries)
  }

  return {
    async keep(deliveries) {
      const devices = [...Map.groupBy(deliveries, ({ deviceUrn }) => deviceUrn)]
      const latest = devices.map(([, ofDevice]) => ofDevice.slice(-keptDeliveries))
      await engine.call(
        'deliveries.keep',
        devices.map(([device]) => device),
        latest.map(({ length }) => length),
        latest.map((ofDevice) => Math.max(...ofDevice.map(({ endedAtMs }) => endedAtMs))),
        latest.map((ofDevice) => ofDevice.map(toText).join('')),
      )
    },
    list,
    find: async (deviceUrn, id) => (await list(deviceUrn)).find((delivery) => delivery.id === id),
    sweep: (beforeMs) => engine.call('deliveries.sweep', beforeMs),
  }
}

/** `length` is the length of the message, which follows the JSON. */
type StoredDelivery = Omit<RecentDelivery, 'deviceUrn' | 'message'> & { length: number }

/** A line of JSON, then the message unchanged: inside the JSON, each of its quotation marks would be escaped. */
function toText(delivery: RecentDelivery): string {
  const { message } = delivery
  return `${JSON.stringify({ ...delivery, deviceUrn: undefined, message: undefined, length: message.length })}\n${message}`
}

/** Returns the deliveries in the order in which they were stored. */
function fromValue(deviceUrn: string, value: string): RecentDelivery[] {
  const deliveries: RecentDelivery[] = []
  for (let start = 0; start < value.length; ) {
    const end = value.indexOf('\n', start)
    const { length, ...delivery } = fromJson<StoredDelivery>(value.slice(start, end))
    start = end + 1
    deliveries.push({ ...delivery, deviceUrn, message: value.slice(start, start + length) })
    start += length
  }
  return deliveries
}
