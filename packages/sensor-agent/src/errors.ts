/** The error class of this package. Use `code` in programs; the message is for people. */

export type AgentErrorCode =
  /** `report()` got a position that the document does not allow. No position of that call was stored. */
  | 'invalid_position'
  /** One position is larger than the spool's limit. No position of that call was stored. */
  | 'position_too_large'
  /** The agent was closed before the call, or before the call could finish. */
  | 'agent_closed'
  /** The service refuses the client's credentials, or the sensor is not registered. */
  | 'credentials_refused'
  /** No token is available now: a network failure, an overload, or an invalid response. */
  | 'token_unavailable'
  /** The service refuses a token that was just refreshed. */
  | 'token_refused'
  /** The service refuses to pair this local ID. */
  | 'pairing_denied'
  /** Nobody pressed Pair in time. */
  | 'pairing_expired'
  /** The refresh token of a paired sensor is no longer valid; the sensor must be paired again. */
  | 'pairing_lost'
  /**
   * The service cannot be reached: the message says whether to check the name, the port, the certificate or the clock.
   */
  | 'service_unreachable'
  /**
   * Something else than the service answered, such as a proxy or a captive portal, or the address is not that of the
   * ingest.
   */
  | 'foreign_answer'
  /** The clock of this machine and that of the service differ by more than 5 s. */
  | 'clock_wrong'
  /** The identity in the token file belongs to another machine. */
  | 'identity_cloned'
  /** The token file does not contain an identity. */
  | 'identity_damaged'
  /** The spool failed, or `onRefused` threw. All positions stay in the spool. */
  | 'spool_stuck'
  /** The spool's folder cannot be read or written. Positions stay in memory until it can be. */
  | 'spool_unwritable'
  /** Another process has the spool's folder open. */
  | 'spool_in_use'
  /** A newer version of this package wrote the spool's folder. */
  | 'spool_newer_format'
  /** The recording cannot be read, or contains no position. */
  | 'recording_unreadable'

export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode
  /** The wait that the service asked for, if any. */
  readonly retryAfterMs: number | undefined

  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions & { retryAfterMs?: number }) {
    super(message, options)
    this.code = code
    this.retryAfterMs = options?.retryAfterMs
  }
}

/** The message of the innermost cause: `fetch failed` alone does not help. */
export function toReason(error: unknown): string {
  let innermost = error
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  // When several addresses were tried, Node throws an AggregateError with an empty message.
  if (innermost instanceof AggregateError && innermost.errors.length > 0) innermost = innermost.errors[0]
  return innermost instanceof Error ? innermost.message : String(innermost)
}
