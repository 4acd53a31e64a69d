/**
 * Stores the history of deliveries without delaying them. History that cannot be stored is lost; no delivery depends on
 * it.
 */
import { createBatch, waitIterations } from '../../concurrency/batch.ts'
import type { Logger } from '../../ports/logger.ts'
import {
  deliveryIterations,
  type RecentDeliveries,
  type RecentDelivery,
} from '../../ports/storage/recent-deliveries.ts'

export interface DeliveryRecorder {
  record(delivery: RecentDelivery): void
  /** Resolves when everything recorded so far is stored. */
  idle(): Promise<void>
}

const maxMessageLength = 16_384

export interface DeliveryRecorderOptions {
  recentDeliveries: RecentDeliveries
  logger: Logger
}

export function createDeliveryRecorder({ recentDeliveries, logger }: DeliveryRecorderOptions): DeliveryRecorder {
  const keep = createBatch<RecentDelivery>({
    async run(deliveries) {
      try {
        await recentDeliveries.keep(deliveries)
      } catch (error) {
        logger.warn({ err: error, deliveries: deliveries.length }, 'could not store delivery history')
      }
    },
    wait: waitIterations(deliveryIterations),
    isSerial: true,
  })
  let last = Promise.resolve()

  return {
    record(delivery) {
      last = keep(cut(delivery))
    },
    idle: () => last,
  }
}

/** Keeps the beginning of a large message. */
function cut(delivery: RecentDelivery): RecentDelivery {
  const { message } = delivery
  if (message.length <= maxMessageLength) return delivery
  // Cut no surrogate pair: a lone surrogate is not valid text.
  const beginning = message.slice(0, maxMessageLength).replace(/[\uD800-\uDBFF]$/, '')
  return { ...delivery, message: beginning, isTruncated: true }
}
