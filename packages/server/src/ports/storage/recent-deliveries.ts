/**
 * The history of a device's latest relay messages, for the owner of its relay.
 * Bounded per device. It is for display only: a loss in the history does not lose a report.
 */
export interface DeliveryAttempt {
  startedAtMs: number
  durationMs: number
  url: string
  /** HTTP status; null when there was no response. */
  status: number | null
  outcome: 'accepted' | 'retry' | 'refused' | 'gone'
  /** Null when the message was accepted. */
  reason: string | null
}

export interface RecentDelivery {
  deviceUrn: string
  /** The seq in the delivery log, or the id of a test message. A later delivery with the same id replaces this one. */
  id: string
  /** The `webhook-id`. */
  messageId: string
  state: 'delivered' | 'buried'
  /** When it was appended to the delivery log, or sent if it is a test message. */
  appendedAtMs: number
  endedAtMs: number
  positions: number
  attemptCount: number
  /** The latest attempts, oldest first. */
  attempts: DeliveryAttempt[]
  reason: string | null
  /** JSON text; only its beginning if `isTruncated`. */
  message: string
  isTruncated: boolean
}

/** The number of deliveries that are kept per device. */
export const keptDeliveries = 50

/**
 * Ended deliveries wait this many iterations of the event loop before they are removed from their log, and before they
 * are stored here. In the embedded database, both then share one commit. Only the next lease of the same device waits
 * for it.
 */
export const deliveryIterations = 60

export interface RecentDeliveries {
  /**
   * Stores deliveries. The last `keptDeliveries` stored deliveries of each device are kept; a delivery that is stored
   * again may count twice.
   */
  keep(deliveries: RecentDelivery[]): Promise<void>
  /** The delivery that was stored last comes first. */
  list(deviceUrn: string): Promise<RecentDelivery[]>
  find(deviceUrn: string, id: string): Promise<RecentDelivery | undefined>
  /** Deletes the history of each device whose last delivery ended before this time. */
  sweep(beforeMs: number): Promise<void>
}
