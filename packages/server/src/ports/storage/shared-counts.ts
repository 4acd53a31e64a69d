/**
 * Counts of events in windows of time, which all processes of a deployment share. A deployment of one process does not
 * need this: its own memory has all counts (`http/throttle.ts`).
 */
export interface SharedCounts {
  /**
   * Adds the events to their window, or begins one. @throws ApiError `unavailable` when the counts cannot be reached
   */
  add(events: CountedEvents): Promise<SharedWindow>
}

export interface CountedEvents {
  /** Names the limit and what is limited. */
  key: string
  /** 0 only reads. */
  amount: number
  windowMs: number
  /** The end of the window if these are its first events. */
  endsAtMs: number
}

export interface SharedWindow {
  /** By all processes. */
  used: number
  endsAtMs: number
}
