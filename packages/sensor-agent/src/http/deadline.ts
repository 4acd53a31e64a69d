/**
 * Sets a deadline for one request, including reading the response body.
 * In: a task and the signal that ends it. Out: the task's result, or a rejection at the deadline.
 */
import type { Clock } from '../ports.ts'

export interface Deadline {
  clock: Clock
  ms: number
  /** Ends the task before the deadline. */
  signal?: AbortSignal | undefined
}

export async function withDeadline<T>(
  { clock, ms, signal }: Deadline,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const finished = new AbortController()
  void clock.sleep(ms, finished.signal).then(() => late.abort(new Error(`no complete response within ${ms} ms`)))
  const ended = signal ? AbortSignal.any([late.signal, signal]) : late.signal

  try {
    // The race also ends a fetch that ignores its signal.
    return await Promise.race([aborted(ended), task(ended)])
  } finally {
    // Without a reason abort() allocates an Error.
    finished.abort('finished')
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
