/** One attempt to send a relay message: what the response means for the delivery, and what is kept of the attempt. */
import type { Clock } from '../../ports/clock.ts'
import type { DeliveryAttempt } from '../../ports/recent-deliveries.ts'
import type { RelayMessage, SendRelayMessage } from '../sender/send-relay-message.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'

export interface Attempted {
  outcome: DeliveryOutcome
  attempt: DeliveryAttempt
}

/** @throws what is not a failure of the relay */
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

/** The relay was updated, or the courier stops: a failure is then not the relay's. */
export function wasAborted({ outcome }: Attempted, { aborted }: AbortSignal): boolean {
  return aborted && outcome.kind !== 'accepted'
}
