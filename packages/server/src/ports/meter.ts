/** Counts reports and deliveries as they are processed. `/metrics` and the demo's live line read the counts. */
export interface Meter {
  accepted(reports: number, positions: number): void
  /** @param lagMs From the acceptance of the oldest of the reports to the end of the pipeline. */
  processed(reports: number, positions: number, lagMs: number): void
  buried(log: 'report' | 'delivery', entries: number): void
  /** Entries that a bound has removed. Unlike buried entries they are deleted. */
  dropped(log: 'delivery', entries: number): void
  delivered(outcome: 'accepted' | 'retry' | 'refused', positions: number): void
}
