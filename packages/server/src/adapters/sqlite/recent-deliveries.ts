/** `RecentDeliveries` in the embedded database. */
import type { RecentDeliveries, RecentDelivery } from '../../ports/recent-deliveries.ts'
import type { SqliteEngine } from './engine.ts'

export function createSqliteRecentDeliveries({ engine }: { engine: SqliteEngine }): RecentDeliveries {
  return {
    async keep(deliveries, { perDevice }) {
      const devices = deliveries.map(({ deviceUrn }) => deviceUrn)
      const ids = deliveries.map(({ id }) => id)
      const times = deliveries.map(({ endedAtMs }) => endedAtMs)
      await engine.call('deliveries.keep', devices, ids, times, deliveries.map(toValue), perDevice)
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

/** The message as it is behind the rest, on a line of its own: inside, each of its quotation marks would be escaped. */
function toValue({ message, ...rest }: RecentDelivery): string {
  return `${JSON.stringify(rest)}\n${message}`
}

function parsed(value: string): RecentDelivery {
  const end = value.indexOf('\n')
  // Rows are written by `keep`, those of earlier versions with the message inside.
  if (end < 0) return JSON.parse(value) as RecentDelivery
  return { ...JSON.parse(value.slice(0, end)), message: value.slice(end + 1) }
}
