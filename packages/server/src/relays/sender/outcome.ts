/** Derives the outcome of a delivery from the relay's response, or from the failure to get one. */
import type { RelayAnswer } from './exchange.ts'
import { RelayFailure } from './relay-failure.ts'

export type DeliveryOutcome =
  | { kind: 'accepted' }
  /** @param retryAfter The header as sent. */
  | { kind: 'retry'; reason: string; retryAfter?: string | undefined }
  /** The relay will never accept this message; it may accept the next one. */
  | { kind: 'refused'; reason: string }
  /** 410: the relay does not exist any more. */
  | { kind: 'gone'; reason: string }

const accepted: DeliveryOutcome = { kind: 'accepted' }
const refusals = new Set([400, 413, 415, 422])

export function outcomeOf({ status, retryAfter }: RelayAnswer): DeliveryOutcome {
  if (status >= 200 && status <= 299) return accepted
  const reason = `The relay answered ${describeStatus(status)}`
  if (status === 410) return { kind: 'gone', reason }
  if (refusals.has(status)) return { kind: 'refused', reason }
  return { kind: 'retry', reason, retryAfter }
}

export function describeStatus(status: number): string {
  return status >= 300 && status <= 399 ? `${status}; redirects are not followed` : String(status)
}

/** @throws errors that are not failures of the relay */
export function outcomeOfFailure(error: unknown): DeliveryOutcome {
  if (error instanceof RelayFailure) return { kind: 'retry', reason: error.message }
  throw error
}

/** Whether the delivery has ended: the relay accepted the message, or refused it permanently. */
export function hasEnded({ kind }: DeliveryOutcome): boolean {
  return kind === 'accepted' || kind === 'refused'
}
