/** One POST of a relay message: what it means for the delivery, and what is to be remembered of it. */
import type { Clock } from '../ports/clock.ts'
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import type { Delivery } from './delivery.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'
import type { SendRelayMessage } from './send-relay-message.ts'

export interface Attempted {
  outcome: DeliveryOutcome
  attempt: DeliveryAttempt
}

/** @param signal Gives the attempt up. @throws what is no failure of the relay */
export async function attemptDelivery(
  { send, clock }: { send: SendRelayMessage; clock: Clock },
  url: string,
  delivery: Pick<Delivery, 'id' | 'message' | 'trace'>,
  signal?: AbortSignal,
): Promise<Attempted> {
  const startedAtMs = clock.now()
  const { outcome, status } = await send(new URL(url), delivery, signal).then(
    (answer) => ({ outcome: outcomeOf(answer), status: answer.status }),
    (error) => ({ outcome: outcomeOfFailure(error), status: null }),
  )
  const reason = outcome.kind === 'accepted' ? null : outcome.reason
  const durationMs = clock.now() - startedAtMs
  return { outcome, attempt: { startedAtMs, durationMs, url, status, outcome: outcome.kind, reason } }
}
