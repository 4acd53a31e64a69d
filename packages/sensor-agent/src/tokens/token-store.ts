/**
 * Port for the storage of a paired sensor's tokens. When they are lost, a user must press Pair in the portal again.
 * Refreshed tokens are written before they are used. If the write fails, they are used from memory, and written with
 * the next call: the stored refresh token works only for a short time after a refresh (30 s at this toolkit's server).
 */

export interface PairedTokens {
  accessToken: string
  refreshToken: string
  /** In ms since the Unix epoch. */
  issuedAtMs: number
  expiresAtMs: number
  /** Globally unique ID of the sensor. */
  sensorId: string
}

export interface TokenStore {
  read(): Promise<PairedTokens | undefined>
  /** Resolves after the tokens are stored. */
  write(tokens: PairedTokens): Promise<void>
  clear(): Promise<void>
  /**
   * Runs the task while no other process with these tokens runs one, and releases the lock when its holder dies. The
   * tokens are refreshed in such a task: a refresh token works once, and one that is used again ends the pairing.
   */
  lock?<T>(task: () => Promise<T>): Promise<T>
}

/** Stores tokens in memory: after a restart the sensor must be paired again. */
export function memoryTokenStore(): TokenStore {
  let kept: PairedTokens | undefined
  return {
    read: async () => kept,
    write: async (tokens) => {
      kept = tokens
    },
    clear: async () => {
      kept = undefined
    },
  }
}
