/** The only source of time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. Follows the wall clock, and never goes backwards within a process. */
  now(): number
  /**
   * The wall clock as it is at this moment, in the same unit; it may jump. For times that other machines compare with
   * their own clock.
   */
  wallTime(): number
  /** Resolves after `ms` of running time, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
