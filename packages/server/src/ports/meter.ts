/** What the rooms count as reports pass; `/metrics` and the demo's live line read it. */
export interface Meter {
  accepted(reports: number, positions: number): void
  /** @param lagMs Oldest of the reports: from acceptance to the end of the pipeline. */
  processed(reports: number, positions: number, lagMs: number): void
  buried(log: 'report' | 'delivery', entries: number): void
  /** Because of a bound, unlike what is buried without a trace. */
  dropped(log: 'delivery', entries: number): void
  delivered(outcome: 'accepted' | 'retry' | 'refused', positions: number): void
}
