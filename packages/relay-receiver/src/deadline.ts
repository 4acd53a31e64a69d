/**
 * Answers in time, even when the work does not.
 * In: the work, which is told by a signal when nobody waits any more. Out: its result, or ReceiverError `deadline_passed`.
 */
import { ReceiverError } from './errors.ts'
import type { Clock } from './ports.ts'

export interface DeadlineOptions {
  clock: Clock
  deadlineMs: number
}

/** The work is not undone: a report that is taken late is remembered, and its repetition accepted at once. */
export async function withDeadline<T>(
  { clock, deadlineMs }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const late = clock.sleep(deadlineMs, end.signal).then(() => {
    throw new ReceiverError('deadline_passed', `The message was not taken within ${deadlineMs} ms; send it again`)
  })
  try {
    return await Promise.race([work(end.signal), late])
  } finally {
    end.abort()
  }
}
