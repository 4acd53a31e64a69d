/** POSTs of relay messages: what they mean for the delivery, and what is to be remembered of them. */
import type { Clock } from '../ports/clock.ts'
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import type { RelayAnswer } from './exchange.ts'
import type { GivingUp } from './giving-up.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'
import type { PostUrl } from './relay-connection.ts'
import type { MessagesBehind, RelayMessage, SendRelayMessage } from './send-relay-message.ts'

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

/** What comes after a delivery on its line. */
export interface DeliveriesBehind extends Pick<MessagesBehind, 'behind'> {
  /** True when the next one may go at once: then it is the one that is attempted, and that one is the caller's to finish. */
  goOn(accepted: Attempted): boolean
}

/** Of the last one that was attempted. @throws what is no failure of the relay */
export async function attemptDelivery(
  { send, clock }: { send: SendRelayMessage; clock: Clock },
  { text, url }: RelayAddress,
  message: RelayMessage,
  givingUp?: GivingUp,
  line?: DeliveriesBehind,
): Promise<Attempted> {
  let startedAtMs = clock.now()
  const toAttempted = (outcome: DeliveryOutcome, status: number | null): Attempted => {
    const reason = outcome.kind === 'accepted' ? null : outcome.reason
    const durationMs = clock.now() - startedAtMs
    return { outcome, attempt: { startedAtMs, durationMs, url: text, status, outcome: outcome.kind, reason } }
  }
  const behind = line && {
    behind: line.behind,
    goOn(answer: RelayAnswer) {
      const outcome = outcomeOf(answer)
      if (outcome.kind !== 'accepted' || !line.goOn(toAttempted(outcome, answer.status))) return false
      startedAtMs = clock.now()
      return true
    },
  }
  try {
    const answer = await send(url, message, givingUp, behind)
    return toAttempted(outcomeOf(answer), answer.status)
  } catch (error) {
    return toAttempted(outcomeOfFailure(error), null)
  }
}
