/** `RecentDeliveries` in the embedded database. */
import type { RecentDeliveries, RecentDelivery } from '../../ports/recent-deliveries.ts'
import type { SqliteEngine } from './engine.ts'

export function createSqliteRecentDeliveries({ engine }: { engine: SqliteEngine }): RecentDeliveries {
  return {
    async keep(deliveries, { perDevice }) {
      const rows = deliveries.map((delivery) => ({
        device: delivery.deviceUrn,
        id: delivery.id,
        endedAtMs: delivery.endedAtMs,
        value: JSON.stringify(delivery),
      }))
      await engine.call('deliveries.keep', rows, perDevice)
    },
    async list(deviceUrn) {
      return (await engine.call('deliveries.list', deviceUrn)).map(parsed)
    },
    async find(deviceUrn, id) {
      const value = await engine.call('deliveries.find', deviceUrn, id)
      return value === undefined ? undefined : parsed(value)
    },
    sweep: (beforeMs) => engine.call('deliveries.sweep', beforeMs),
  }
}

function parsed(value: string): RecentDelivery {
  // Rows are written by `keep`.
  return JSON.parse(value) as RecentDelivery
}
