/**
 * The history of a device's latest relay messages, for the owner of its relay.
 * Bounded per device. It is only shown: losing some of it loses no report.
 */
export interface DeliveryAttempt {
  startedAtMs: number
  durationMs: number
  url: string
  /** HTTP status; null without an answer. */
  status: number | null
  outcome: 'accepted' | 'retry' | 'refused' | 'gone'
  /** Null when it was accepted. */
  reason: string | null
}

export interface RecentDelivery {
  deviceUrn: string
  /** Its seq in the delivery log, or the id of a test message; a later one with the same id replaces it. */
  id: string
  /** The `webhook-id`. */
  messageId: string
  state: 'delivered' | 'buried'
  owedSinceMs: number
  endedAtMs: number
  positions: number
  attemptCount: number
  /** The latest ones, oldest first. */
  attempts: DeliveryAttempt[]
  reason: string | null
  /** JSON text; the beginning of it where `isTruncated`. */
  message: string
  isTruncated: boolean
}

/** Per device. */
export const keptDeliveries = 50

export interface RecentDeliveries {
  /** Keeps, of each device, those `keptDeliveries` that were kept last; one that is kept again may count twice. */
  keep(deliveries: RecentDelivery[]): Promise<void>
  /** Those that were kept last come first. */
  list(deviceUrn: string): Promise<RecentDelivery[]>
  find(deviceUrn: string, id: string): Promise<RecentDelivery | undefined>
  /** Forgets the devices of which nothing has ended since. */
  sweep(beforeMs: number): Promise<void>
}
