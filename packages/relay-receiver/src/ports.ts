/**
 * The receiver's ports and their default implementations.
 * No other file uses the system's time, the global fetch or the console.
 */
import { sleep } from '@posrep/kernel/sleep'
import { ReceiverError } from './errors.ts'

export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Fetch = (request: Request) => Promise<Response>

export const systemClock: Clock = { now: () => Date.now(), sleep }

export const systemFetch: Fetch = (request) => fetch(request)

/** What the receiver itself found is one line; an error of the owner's code has its stack. */
export function printToConsole(cause: unknown): void {
  console.error(cause instanceof ReceiverError ? toLine(cause) : cause)
}

function toLine({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
