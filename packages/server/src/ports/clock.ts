/** The only source of time. `now` follows the wall clock and does not jump. `sleep` ends early when the signal aborts. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. Never goes backwards within a process. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
