/**
 * Tells all processes of a deployment that a relay was changed. Each process aborts its messages to the previous
 * address. A deployment of one process does not need this.
 */
export interface RelayChanges {
  /**
   * Resolves when the listeners of all processes have been called. Waits at most one second for a process that hangs.
   * @param queue The device's URN.
   * @throws ApiError `unavailable` when the message could not be sent
   */
  announce(queue: string): Promise<void>
  /** Calls `listener` for each announcement of any process, including this one. */
  listen(listener: (queue: string) => void): void
}
