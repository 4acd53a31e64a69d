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
  /** The spool failed, or `onRefused` threw. All positions stay in the spool. */
  | 'spool_stuck'
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
