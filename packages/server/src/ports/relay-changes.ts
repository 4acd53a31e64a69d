/**
 * What the processes of a deployment tell each other when a relay is set anew: each gives up what it sends to the address
 * as it was. Where there is one process, nobody needs it.
 */
export interface RelayChanges {
  /**
   * Resolves when the listeners of all processes that are reached have been called; one that hangs is waited for a second.
   * @param queue The device's URN.
   * @throws ApiError `unavailable` when nobody can be told
   */
  announce(queue: string): Promise<void>
  /** Calls `listener` with what any process announces, this one included. */
  listen(listener: (queue: string) => void): void
}
