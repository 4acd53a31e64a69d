/** POSTs of relay messages: what they mean for the delivery, and what is to be remembered of them. */
import type { Clock } from '../ports/clock.ts'
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import type { RelayAnswer } from './exchange.ts'
import type { GivingUp } from './giving-up.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'
import type { PostUrl } from './relay-connection.ts'
import type { FollowingMessages, RelayMessage, SendRelayMessage } from './send-relay-message.ts'

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

/** What follows a delivery on its line. */
export interface FollowingDeliveries extends Pick<FollowingMessages, 'behind'> {
  /** True: the caller has finished the one that was accepted, and what is attempted from here on is the next. */
  goOn(accepted: Attempted): boolean
}

/** Of the last one that was attempted. @throws what is no failure of the relay */
export async function attemptDelivery(
  { send, clock }: { send: SendRelayMessage; clock: Clock },
  { text, url }: RelayAddress,
  message: RelayMessage,
  givingUp?: GivingUp,
  following?: FollowingDeliveries,
): Promise<Attempted> {
  let startedAtMs = clock.now()
  const toAttempted = (outcome: DeliveryOutcome, status: number | null): Attempted => {
    const reason = outcome.kind === 'accepted' ? null : outcome.reason
    const durationMs = clock.now() - startedAtMs
    return { outcome, attempt: { startedAtMs, durationMs, url: text, status, outcome: outcome.kind, reason } }
  }
  const messages = following && {
    behind: following.behind,
    goOn(answer: RelayAnswer) {
      const outcome = outcomeOf(answer)
      if (outcome.kind !== 'accepted' || !following.goOn(toAttempted(outcome, answer.status))) return false
      startedAtMs = clock.now()
      return true
    },
  }
  try {
    const answer = await send(url, message, givingUp, messages)
    return toAttempted(outcomeOf(answer), answer.status)
  } catch (error) {
    return toAttempted(outcomeOfFailure(error), null)
  }
}
