/** Port for the agent's device token. Implementations: client credentials and pairing. */

export interface TokenSource {
  /** A token that is not about to expire. `signal` ends this caller's wait, not that of other callers. */
  get(signal?: AbortSignal): Promise<string>
  /** A token other than `stale`, which the service has refused. Concurrent callers share one request. */
  refresh(stale: string, signal?: AbortSignal): Promise<string>
}
