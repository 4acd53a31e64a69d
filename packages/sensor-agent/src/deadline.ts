/**
 * A total deadline over one exchange with the network, body included: an answer that drips for ever ends, too.
 * In: the work, given the signal that ends it. Out: what the work resolves with, or a rejection once the time is up.
 */
import type { Clock } from './ports.ts'

export interface Deadline {
  clock: Clock
  ms: number
  /** Ends the work earlier. */
  signal?: AbortSignal | undefined
}

export async function withDeadline<T>(
  { clock, ms, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const finished = new AbortController()
  void clock.sleep(ms, finished.signal).then(() => late.abort(new Error(`no complete answer within ${ms} ms`)))
  const ended = signal ? AbortSignal.any([late.signal, signal]) : late.signal

  try {
    // The race is for a fetch that does not listen to its signal.
    return await Promise.race([aborted(ended), work(ended)])
  } finally {
    finished.abort()
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
