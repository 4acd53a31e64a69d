/**
 * Messages to all processes of a deployment that listen at this moment. A message may be lost; nothing durable depends
 * on it. A deployment of one process does not need this.
 */
export interface Announcements {
  /** Never rejects: a message that cannot be sent is lost. */
  announce(channel: string, message: string): Promise<void>
  /**
   * Calls `listener` with each message of the channel; a channel has one listener per process. Returns a function that
   * ends this.
   */
  listen(channel: string, listener: (message: string) => void): () => void
}
