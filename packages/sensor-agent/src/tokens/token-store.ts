/**
 * Where a paired sensor keeps its tokens: they cannot be had again without a person at the portal.
 * A rotated pair is written before it is used. A pair that was lost on the way to the store can be had again with the old
 * refresh token for a short time only (30 s at this toolkit's server).
 */

export interface PairedTokens {
  accessToken: string
  refreshToken: string
  /** Ms since the Unix epoch. */
  issuedAtMs: number
  expiresAtMs: number
  /** Globally unique ID of the sensor. */
  sensorId: string
}

export interface TokenStore {
  read(): Promise<PairedTokens | undefined>
  /** Resolves after the tokens are kept. */
  write(tokens: PairedTokens): Promise<void>
  clear(): Promise<void>
}

/** Forgotten with the process: after a restart the sensor has to be paired again. */
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
