/** One POST of a relay message: what it means for the delivery, and what is to be remembered of it. */
import type { Clock } from '../ports/clock.ts'
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfFailure } from './outcome.ts'
import type { RelayMessage, SendRelayMessage } from './send-relay-message.ts'

export interface Attempted {
  outcome: DeliveryOutcome
  attempt: DeliveryAttempt
}

/** Where a relay is, as its owner wrote it and as it is posted to. */
export interface RelayAddress {
  text: string
  url: URL
  host: string
}

export function toRelayAddress(text: string): RelayAddress {
  const url = new URL(text)
  return { text, url, host: url.host }
}

/** @param signal Gives the attempt up. @param next What is likely to be sent next. @throws what is no failure of the relay */
export async function attemptDelivery(
  { send, clock }: { send: SendRelayMessage; clock: Clock },
  { text, url }: RelayAddress,
  message: RelayMessage,
  signal?: AbortSignal,
  next?: RelayMessage,
): Promise<Attempted> {
  const startedAtMs = clock.now()
  let outcome: DeliveryOutcome
  let status: number | null = null
  try {
    const answer = await send(url, message, signal, next)
    outcome = outcomeOf(answer)
    status = answer.status
  } catch (error) {
    outcome = outcomeOfFailure(error)
  }
  const reason = outcome.kind === 'accepted' ? null : outcome.reason
  const durationMs = clock.now() - startedAtMs
  return { outcome, attempt: { startedAtMs, durationMs, url: text, status, outcome: outcome.kind, reason } }
}
