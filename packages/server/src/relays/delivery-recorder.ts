/**
 * Keeps what became of deliveries, without holding them up: they gather before a write and while one is under way, of each
 * device only what would be kept anyway. What cannot be written is lost; no delivery depends on it.
 */
import { setImmediate } from 'node:timers/promises'
import type { Logger } from '../ports/logger.ts'
import { keptDeliveries, type RecentDeliveries, type RecentDelivery } from '../ports/recent-deliveries.ts'

export interface DeliveryRecorder {
  record(delivery: RecentDelivery): void
  /** Resolves when everything that was recorded is written. */
  idle(): Promise<void>
}

/** Of the event loop, as many as the embedded database waits with what is settled. Idle, they pass within microseconds. */
const gatheringTurns = 60
const maxMessageLength = 16_384

export interface DeliveryRecorderOptions {
  recentDeliveries: RecentDeliveries
  logger: Logger
}

export function createDeliveryRecorder({ recentDeliveries, logger }: DeliveryRecorderOptions): DeliveryRecorder {
  let gathered = new Map<string, RecentDelivery[]>()
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (gathered.size > 0) {
      for (let turn = 0; turn < gatheringTurns; turn++) await setImmediate()
      const deliveries = [...gathered.values()].flat()
      gathered = new Map()
      try {
        await recentDeliveries.keep(deliveries)
      } catch (error) {
        logger.warn({ err: error, deliveries: deliveries.length }, 'what became of deliveries is not shown')
      }
    }
    writing = undefined
  }

  return {
    record(delivery) {
      const ofDevice = gathered.get(delivery.deviceUrn) ?? []
      ofDevice.push(cut(delivery))
      if (ofDevice.length > keptDeliveries) ofDevice.shift()
      gathered.set(delivery.deviceUrn, ofDevice)
      writing ??= write()
    },
    idle: async () => writing,
  }
}

/** A large message is kept as far as it tells what it was. */
function cut(delivery: RecentDelivery): RecentDelivery {
  const { message } = delivery
  if (message.length <= maxMessageLength) return delivery
  // Half a pair of surrogates is no text.
  const beginning = message.slice(0, maxMessageLength).replace(/[\uD800-\uDBFF]$/, '')
  return { ...delivery, message: beginning, isTruncated: true }
}
