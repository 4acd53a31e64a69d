/** Counts reports and deliveries as they are processed. `/metrics` and the demo's live line read the counts. */
export interface Meter {
  accepted(reports: number, positions: number): void
  /** @param lagMs The time from the acceptance of the oldest report to the end of the pipeline. */
  processed(reports: number, positions: number, lagMs: number): void
  buried(log: 'report' | 'delivery', entries: number): void
  /** Entries that were deleted because their queue exceeded its bound. */
  dropped(log: 'delivery', entries: number): void
  delivered(outcome: 'accepted' | 'retry' | 'refused', positions: number): void
}
