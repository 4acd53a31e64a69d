/** Who is measured: a server in processes of its own. */
export interface Contender<Work> {
  /** What the load generator is told, anew for each measurement. */
  prepare(connections: number): Promise<Work>
  /** Its processes by what they are, for what it costs. */
  pids: Record<string, number>
  /** Resolves when it has worked off what it has taken, which is part of what that costs. */
  settle?(): Promise<void>
  /** How much it has taken so far, by its own account, which is held against what the load generator was told. */
  countAccepted?(): Promise<number>
  stop(): Promise<void>
}
