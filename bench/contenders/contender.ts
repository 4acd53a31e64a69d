/** A server to measure, in separate processes. */
export interface Contender<Work> {
  /** Creates the work for the load generator, before each measurement. */
  prepare(connections: number): Promise<Work>
  /** Its process ids by name, to measure processor time. */
  pids: Record<string, number>
  /** Resolves when it has processed all accepted requests, which is part of their cost. */
  settle?(): Promise<void>
  /** Number of requests accepted so far by its own count, to compare with the answers that the load generator got. */
  countAccepted?(): Promise<number>
  stop(): Promise<void>
}
