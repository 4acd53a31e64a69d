/** One POST of a relay message: what it means for the delivery, and what is to be remembered of it. */
import type { Clock } from '../ports/clock.ts'
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import type { GivingUp } from './giving-up.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'
import type { PostUrl } from './relay-connection.ts'
import type { MessageBehind, RelayMessage, SendRelayMessage } from './send-relay-message.ts'

export interface Attempted {
  outcome: DeliveryOutcome
  attempt: DeliveryAttempt
}

/** Where a relay is, as its owner wrote it and as it is posted to. */
export interface RelayAddress {
  text: string
  url: PostUrl
  host: string
}

/** A `URL` puts its parts together anew each time they are read. */
export function toRelayAddress(text: string): RelayAddress {
  const { origin, host, pathname, search } = new URL(text)
  return { text, url: { origin, pathname, search }, host }
}

/** @param behind What is likely to be sent next. @throws what is no failure of the relay */
export async function attemptDelivery(
  { send, clock }: { send: SendRelayMessage; clock: Clock },
  { text, url }: RelayAddress,
  message: RelayMessage,
  givingUp?: GivingUp,
  behind?: readonly MessageBehind[],
): Promise<Attempted> {
  const startedAtMs = clock.now()
  let outcome: DeliveryOutcome
  let status: number | null = null
  try {
    const answer = await send(url, message, givingUp, behind)
    outcome = outcomeOf(answer)
    status = answer.status
  } catch (error) {
    outcome = outcomeOfFailure(error)
  }
  const reason = outcome.kind === 'accepted' ? null : outcome.reason
  const durationMs = clock.now() - startedAtMs
  return { outcome, attempt: { startedAtMs, durationMs, url: text, status, outcome: outcome.kind, reason } }
}
