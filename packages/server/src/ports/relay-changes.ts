/**
 * Tells all processes of a deployment that a relay was changed: each aborts its messages to the former address. A deployment
 * of one process needs none.
 */
export interface RelayChanges {
  /**
   * Resolves when the listeners of all processes have been called; waits a second for a process that hangs.
   * @param queue The device's URN.
   * @throws ApiError `unavailable` when the message could not be sent
   */
  announce(queue: string): Promise<void>
  /** Calls `listener` for each announcement of any process, this one included. */
  listen(listener: (queue: string) => void): void
}
