/**
 * The memory that a fleet needs in Redis, by the measurements of docs/scaling.md. Recent reports need nearly all of it.
 */
export interface Fleet {
  sensors: number
  /** Reports that are kept of a device: how long, how many, and how much of them. */
  windowMs: number
  maxReports: number
  maxBytes: number
}

/** Of a report of one position. */
const reportBytes = 343

/** In bytes, for sensors that report one position a second. */
export function toExpectedMemory({ sensors, windowMs, maxReports, maxBytes }: Fleet): number {
  return sensors * Math.min(reportBytes * Math.min(windowMs / 1_000, maxReports), maxBytes)
}
