import type { LogName } from './storage/log.ts'

/** Counts reports and deliveries as they are processed. `/metrics` and the demo's live line read the counts. */
export interface Meter {
  accepted(reports: number, positions: number): void
  /** @param lagMs The time from the acceptance of the oldest report to the end of the pipeline. */
  processed(reports: number, positions: number, lagMs: number): void
  buried(log: Exclude<LogName, 'air'>, entries: number): void
  /** Entries that were deleted because their queue exceeded its bound. */
  dropped(log: Extract<LogName, 'delivery'>, entries: number): void
  delivered(outcome: 'accepted' | 'retry' | 'refused', positions: number): void
}

/** Counts what the air picture does. */
export interface AirMeter {
  /**
   * Positions that are in the picture now.
   * @param lagMs The time from the pipeline to the picture.
   */
  correlated(positions: number, lagMs: number): void
  /** Entries or reports that the picture does not contain, because they were too many, too old or already deleted. */
  dropped(count: number): void
  /** Entries or reports that the picture could not take. The log has the reasons. */
  setAside(count: number): void
  /** The state of a picture is stored: after a crash it continues from there. */
  snapshotStored(): void
  /** What the trackers left out since the last call. */
  leftOut(counts: Record<AirLeftOut, number>): void
  /** What the pictures of this process have now, together. */
  pictures(now: AirNow): void
}

/**
 * `late`: positions that came too late. `ambiguous`: positions without an ID that fit several tracks. `refused`:
 * positions of new targets when there were too many tracks. `evicted`: tracks that ended early, because there were too
 * many. `delayed`: looks for other tracks of a target that a crowd delayed.
 */
export type AirLeftOut = 'late' | 'ambiguous' | 'refused' | 'evicted' | 'delayed'

export interface AirNow {
  targets: number
  /** Tracks in crowds, which the alerts did not compare with all others. */
  crowded: number
  /** Conditions that are no alerts, because there are too many. */
  moreAlerts: number
}
