/** Attempts to send a relay message. Out: the outcome of the delivery, and the record of the attempt. */
import type { Clock } from '../../ports/clock.ts'
import type { DeliveryAttempt } from '../../ports/storage/recent-deliveries.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'
import type { RelayMessage, SendRelayMessage } from './send-relay-message.ts'

export interface Attempted {
  outcome: DeliveryOutcome
  attempt: DeliveryAttempt
}

/** @throws errors that are not failures of the relay */
export async function attemptDelivery(
  { send, clock }: { send: SendRelayMessage; clock: Clock },
  url: string,
  message: RelayMessage,
  signal?: AbortSignal,
): Promise<Attempted> {
  const startedAtMs = clock.now()
  const toAttempted = (outcome: DeliveryOutcome, status: number | null): Attempted => {
    const reason = outcome.kind === 'accepted' ? null : outcome.reason
    const durationMs = clock.now() - startedAtMs
    return { outcome, attempt: { startedAtMs, durationMs, url, status, outcome: outcome.kind, reason } }
  }
  try {
    const answer = await send(new URL(url), message, signal)
    return toAttempted(outcomeOf(answer), answer.status)
  } catch (error) {
    return toAttempted(outcomeOfFailure(error), null)
  }
}

/**
 * Whether the attempt failed because the relay was updated or the courier stops, which is not a failure of the relay.
 */
export function wasAborted({ outcome }: Attempted, { aborted }: AbortSignal): boolean {
  return aborted && outcome.kind !== 'accepted'
}
