/** The parts of a storage that is spread over several nodes: each may be away while the others work. */
export interface PartsAway {
  /** Directory, signing keys and revocations: without them nothing can be answered. */
  service: boolean
  /** How many partitions are away. */
  partitions: number
  /** How many partitions there are. */
  of: number
}

/** Asks all parts. */
export type FindPartsAway = () => Promise<PartsAway>
