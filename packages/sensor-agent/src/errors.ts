/** The package's one error. `code` is for `switch`, the message for a person. */

export type AgentErrorCode =
  /** `report()` was given a position that the document does not allow. Nothing of that call was spooled. */
  | 'invalid_position'
  /** One position is larger than the whole bound of the spool. Nothing of that call was spooled. */
  | 'position_too_large'
  /** The agent was closed before the call, or before what the call waits for was delivered. */
  | 'agent_closed'
  /** The service refuses the client's credentials, or the sensor is not registered. */
  | 'credentials_refused'
  /** No token could be had for now: the network, an overload, an answer that makes no sense. */
  | 'token_unavailable'
  /** A fresh token is refused, too. */
  | 'token_refused'
  /** The service refuses to pair this local ID. */
  | 'pairing_denied'
  /** Nobody pressed Pair in time. */
  | 'pairing_expired'
  /** The refresh token of a paired sensor is dead; it has to be paired again. */
  | 'pairing_lost'
  /** The spool cannot be read, or what was refused cannot be set aside. Everything stays where it is. */
  | 'spool_stuck'
  /** The recording cannot be read, or has no position in it. */
  | 'recording_unreadable'

export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode
  /** How long the service asked to be left alone, if it did. */
  readonly retryAfterMs: number | undefined

  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions & { retryAfterMs?: number }) {
    super(message, options)
    this.code = code
    this.retryAfterMs = options?.retryAfterMs
  }
}

/** The innermost thing that can be said about why something failed: `fetch failed` alone helps nobody. */
export function toReason(error: unknown): string {
  let innermost = error
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  // Several addresses were tried and none answered: Node says so with an empty message.
  if (innermost instanceof AggregateError && innermost.errors.length > 0) innermost = innermost.errors[0]
  return innermost instanceof Error ? innermost.message : String(innermost)
}
