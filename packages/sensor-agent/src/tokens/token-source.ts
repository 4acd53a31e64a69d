/** Where the agent gets its device token. Two are here: client credentials, and pairing. */

export interface TokenSource {
  /** A token that is not about to expire. `signal` ends the waiting, not what others wait for. */
  get(signal?: AbortSignal): Promise<string>
  /** A token other than `stale`, which the service has refused. Concurrent callers share one exchange. */
  refresh(stale: string, signal?: AbortSignal): Promise<string>
}
